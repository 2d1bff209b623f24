// Constants and polynomial coefficients of the math functions, per element type.
//
// Constants given as arrays are unevaluated sums: the first element is the value rounded to the type, the next one the
// rest rounded, and so on. Polynomials, lowest power first, are Sollya's fpminimax fits over the stated interval
// (fpminimax(f, powers, [|SG...|] or [|D...|], interval, relative, floating, the terms written out below)): the
// coefficients are optimal among those of the format. The error stated is of the whole approximation relative to f,
// before any rounding.
#pragma once

namespace weft::device_lib {

template <class T>
struct Constants;

template <>
struct Constants<float> {
  static constexpr float kOneOverPi = 0x1.45f306p-2f;
  static constexpr float kTwoOverPi = 0x1.45f306p-1f;
  static constexpr float kPiOver2[] = {0x1.921fb6p0f, -0x1.777a5cp-25f, -0x1.ee59dap-50f};
  static constexpr float kPi[] = {0x1.921fb6p1f, -0x1.777a5cp-24f};
  static constexpr float kLog2E[] = {0x1.715476p0f, 0x1.4ae0cp-26f};
  static constexpr float kLn2[] = {0x1.62e43p-1f, -0x1.05c61p-29f};
  static constexpr float kLog2Of10 = 0x1.a934fp1f;
  static constexpr float kLog10Of2[] = {0x1.344136p-2f, -0x1.ec10cp-27f};
  static constexpr float kLog10E[] = {0x1.bcb7b2p-2f, -0x1.5b235ep-27f};

  // sin(r) = r + r^3 P(r^2), |r| <= pi/4; relative error 2^-27.8
  static constexpr float kSine[] = {-0x1.555544p-3f, 0x1.1106cap-7f, -0x1.991e08p-13f};
  // cos(r) = 1 - r^2 / 2 + r^4 P(r^2), |r| <= pi/4; relative error 2^-32.7
  static constexpr float kCosine[] = {0x1.55554ap-5f, -0x1.6c0c16p-10f, 0x1.99df46p-16f};
  // expm1(r) = r + r^2 P(r), |r| <= ln(2)/2; relative error 2^-30.9
  static constexpr float kExpm1[] = {0x1p-1f,        0x1.555554p-3f, 0x1.5554ecp-5f,
                                     0x1.1112fcp-7f, 0x1.6d495p-10f, 0x1.9e2a52p-13f};
  // 2^f = 1 + f P(f), |f| <= 1/2; relative error 2^-27.6. 10^f likewise, |f| <= log10(2)/2; 2^-27.8
  static constexpr float kExp2[] = {0x1.62e43p-1f,  0x1.ebfbdep-3f,  0x1.c6af9ep-5f,
                                    0x1.3b2c58p-7f, 0x1.5ef4a2p-10f, 0x1.427918p-13f};
  static constexpr float kExp10[] = {0x1.26bb1cp1f, 0x1.53524cp1f, 0x1.046faap1f,
                                     0x1.2bd7cap0f, 0x1.155f1p-1f, 0x1.a86494p-3f};
  // sinh(t) = t + t^3 P(t^2), |t| <= 1; relative error 2^-30.1
  static constexpr float kSinh[] = {0x1.555556p-3f, 0x1.1110c4p-7f, 0x1.a036dap-13f, 0x1.720e84p-19f};
  // log1p(f) = f - f^2 / 2 + f^3 P(f), sqrt(1/2) <= 1 + f <= sqrt(2); relative error 2^-26.9
  static constexpr float kLog1p[] = {0x1.55557p-2f,  -0x1.000234p-2f, 0x1.99944ep-3f, -0x1.5466fep-3f,
                                     0x1.239ce2p-3f, -0x1.0e96ccp-3f, 0x1.015974p-3f, -0x1.2a6f78p-4f};
  // atan(t) = t + t^3 P(t^2), |t| <= tan(pi/8); relative error 2^-30.4
  static constexpr float kAtan[] = {-0x1.55554ap-2f, 0x1.9991e4p-3f, -0x1.23b9dp-3f, 0x1.b226f2p-4f, -0x1.f2f1b6p-5f};
  // asin(t) = t + t^3 P(t^2), |t| <= 1/2; relative error 2^-31.7
  static constexpr float kAsin[] = {0x1.55554cp-3f, 0x1.33389ep-4f, 0x1.6caab6p-5f,
                                    0x1.04af34p-5f, 0x1.d7924cp-7f, 0x1.33d432p-5f};
  // m^(-1/3) = P(m), 1 <= m <= 2; relative error 2^-11.9
  static constexpr float kReciprocalCbrt[] = {0x1.8ab91cp0f, -0x1.9eb322p-1f, 0x1.456226p-2f, -0x1.991554p-5f};

  // The fast functions' own: sin as above for |r| <= pi/2, 2^-27.2; atan for |t| <= 1, 2^-25.8; tanh(t) = t + t^3
  // P(t^2), |t| <= 0.55, 2^-24.7
  static constexpr float kSineOfHalfTurn[] = {-0x1.55554cp-3f, 0x1.110ed6p-7f, -0x1.9f6facp-13f, 0x1.5db12cp-19f};
  static constexpr float kAtanToOne[] = {-0x1.5554dcp-2f, 0x1.9978eep-3f, -0x1.230abp-3f,  0x1.b4dfdcp-4f,
                                         -0x1.3553f4p-4f, 0x1.61f756p-5f, -0x1.0c23fep-6f, 0x1.7ec1c4p-9f};
  static constexpr float kTanh[] = {-0x1.555452p-2f, 0x1.10cefcp-3f, -0x1.af7d38p-5f, 0x1.0d5184p-6f};
};

template <>
struct Constants<double> {
  static constexpr double kTwoOverPi = 0x1.45f306dc9c883p-1;
  static constexpr double kPiOver2[] = {0x1.921fb54442d18p0, 0x1.1a62633145c07p-54, -0x1.f1976b7ed8fbcp-110};
  static constexpr double kPi[] = {0x1.921fb54442d18p1, 0x1.1a62633145c07p-53};
  static constexpr double kLog2E[] = {0x1.71547652b82fep0, 0x1.777d0ffda0d24p-56};
  static constexpr double kLn2[] = {0x1.62e42fefa39efp-1, 0x1.abc9e3b39803fp-56};
  static constexpr double kLog2Of10 = 0x1.a934f0979a371p1;
  static constexpr double kLog10Of2[] = {0x1.34413509f79ffp-2, -0x1.9dc1da994fd21p-59};
  static constexpr double kLog10E[] = {0x1.bcb7b1526e50ep-2, 0x1.95355baaafad3p-57};
  static constexpr double kTwoThirds[] = {0x1.5555555555555p-1, 0x1.5555555555555p-55};

  // sin(r) = r + r^3 P(r^2), |r| <= pi/4; relative error 2^-57.7
  static constexpr double kSine[] = {-0x1.5555555555547p-3, 0x1.111111110f575p-7,   -0x1.a01a019badf62p-13,
                                     0x1.71de351f67b1p-19,  -0x1.ae5e1fe4951fcp-26, 0x1.5d7e52a3c72b3p-33};
  // cos(r) = 1 - r^2 / 2 + r^4 P(r^2), |r| <= pi/4; relative error 2^-63.7
  static constexpr double kCosine[] = {0x1.5555555555549p-5,   -0x1.6c16c16c14bf4p-10, 0x1.a01a019c2afb3p-16,
                                       -0x1.27e4f7aa91f51p-22, 0x1.1ee9ac2468b4p-29,   -0x1.8f8e0900a589fp-37};
  // expm1(r) = r + r^2 P(r), |r| <= ln(2)/2; relative error 2^-61.5
  static constexpr double kExpm1[] = {0x1p-1,
                                      0x1.5555555555559p-3,
                                      0x1.555555555554bp-5,
                                      0x1.111111110f5b4p-7,
                                      0x1.6c16c16c1b9c4p-10,
                                      0x1.a01a01b071fc5p-13,
                                      0x1.a01a01899c82dp-16,
                                      0x1.71ddf69ac317ap-19,
                                      0x1.27e51bc4ef828p-22,
                                      0x1.af6240172ba9cp-26,
                                      0x1.1f0f0473d5263p-29};
  // 2^f = 1 + f P(f), |f| <= 1/2; relative error 2^-56.6. 10^f likewise, |f| <= log10(2)/2; 2^-56.9
  static constexpr double kExp2[] = {0x1.62e42fefa39efp-1,  0x1.ebfbdff82c598p-3,  0x1.c6b08d704a1acp-5,
                                     0x1.3b2ab6fba1ee3p-7,  0x1.5d87fe7880441p-10, 0x1.430913093a11p-13,
                                     0x1.ffcbfd0180bcbp-17, 0x1.62bfd4fe48998p-20, 0x1.b523dc17cc7cp-24,
                                     0x1.e60559753eefap-28, 0x1.eb5b6dca847abp-32};
  static constexpr double kExp10[] = {0x1.26bb1bbb55516p1,   0x1.53524c73cea6fp1,  0x1.0470591de2ae5p1,
                                      0x1.2bd7609fd6b63p0,   0x1.1429ffd24303cp-1, 0x1.a7ed709a925f7p-3,
                                      0x1.16e4de65a2fa3p-4,  0x1.41166a681d4fcp-6, 0x1.489b7b7141dc9p-8,
                                      0x1.2f66c87c3b4c1p-10, 0x1.f3f2ee9538ce9p-13};
  // sinh(t) = t + t^3 P(t^2), |t| <= 1; relative error 2^-59.8
  static constexpr double kSinh[] = {0x1.5555555555555p-3,  0x1.111111111119ap-7,  0x1.a01a01a00b33ep-13,
                                     0x1.71de3a5f0db9dp-19, 0x1.ae6452c7cecbep-26, 0x1.612265e4b979bp-33,
                                     0x1.b2502d89ea57ep-41};
  // 2 atanh(s) = 2 s + s^3 P(s^2), (1 + s) / (1 - s) <= sqrt(2); relative error 2^-59.4
  static constexpr double kLog1p[] = {0x1.5555555555597p-1, 0x1.999999997e373p-2, 0x1.249249437c173p-2,
                                      0x1.c71c50b5ef20ep-3, 0x1.74668835b9f7p-3,  0x1.3999fc8d9bd83p-3,
                                      0x1.2f56d4fdf9309p-3};
  // 2 atanh(s) = 2 s + 2/3 s^3 + s^5 P(s^2), (1 + s) / (1 - s) <= sqrt(2); relative error 2^-66.2
  static constexpr double kAtanhTail[] = {0x1.9999999999b4cp-2, 0x1.24924924545e9p-2, 0x1.c71c7232796a6p-3,
                                          0x1.745ce81453d3cp-3, 0x1.3b1f427502729p-3, 0x1.0f77cbddcf296p-3,
                                          0x1.0e902b4b4162bp-3};
  // atan(t) = t + t^3 P(t^2), |t| <= tan(pi/8); relative error 2^-59.4
  static constexpr double kAtan[] = {-0x1.555555555553dp-2, 0x1.999999999585bp-3,  -0x1.24924922acb78p-3,
                                     0x1.c71c70e5b84a1p-4,  -0x1.745cf8d0ca308p-4, 0x1.3b11183416504p-4,
                                     -0x1.10ebad12e2435p-4, 0x1.df0e9d906dc24p-5,  -0x1.9ccf8630c2712p-5,
                                     0x1.37cd21b921acdp-5,  -0x1.25570a17676f6p-6};
  // asin(t) = t + t^3 P(t^2), |t| <= 1/2; relative error 2^-59.9
  static constexpr double kAsin[] = {
      0x1.5555555555577p-3, 0x1.333333332e133p-4,  0x1.6db6db721247bp-5, 0x1.f1c71a95002f6p-6, 0x1.6e8bdedebfb72p-6,
      0x1.1c49f077d2818p-6, 0x1.ca1f8af264013p-7,  0x1.75859da822552p-7, 0x1.613c1e9096db8p-7, 0x1.e5fbe63872ca6p-9,
      0x1.639a8a1bbdd02p-6, -0x1.57fad21f83513p-6, 0x1.0b45ea63b1699p-5};
  // m^(-1/3) = P(m), 1 <= m <= 2; relative error 2^-11.9
  static constexpr double kReciprocalCbrt[] = {0x1.8ab91b7f0c05bp0, -0x1.9eb31e9029616p-1, 0x1.45621f98f6e77p-2,
                                               -0x1.991545e68ce52p-5};

  // What pow in f32 needs: 2 atanh(s) = 2 s + s^3 P(s^2) to 2^-37.5, expm1(r) = r + r^2 P(r) to 2^-31.9
  static constexpr double kAtanhForFloat[] = {0x1.555554fa43e73p-1, 0x1.999a811132242p-2, 0x1.24371780636fbp-2,
                                              0x1.e33d488967646p-3};
  static constexpr double kExpm1ForFloat[] = {0x1.0000002837cbbp-1, 0x1.555554e95a017p-3,  0x1.5554aaa1befa8p-5,
                                              0x1.11118e4606a42p-7, 0x1.6d78d89bc3f6dp-10, 0x1.a0332cc8bc3eap-13};
};

}  // namespace weft::device_lib
