# SPDX-License-Identifier: Apache-2.0
# Makes the comments of a header known to Doxygen: each is about what follows it, at the end of a line about what stands
# before it. They are plain text, so what Doxygen would take for commands is escaped.
/SPDX-License-Identifier/d
# An empty line of a comment separates two paragraphs.
s/^( *)\/\/$/\1\/\/\//
/\/\/ /{
    /\/\/ (namespace |----)/b
    s/\\/\\\\/g
    s/@/\\@/g
    s/^( {0,15})\/\/ (.*)/\1\/\/\/ \2/
    t
    s/\/\/ /\/\/\/< /
}
