// A source without its licence, for the test of checkspdx.cmake.
