# Read by ctest itself. Tests compile what they test: they neither use nor fill the user's shader cache. Those of the
# cache name a folder of their own.
set(ENV{WEFT_CACHE} off)
