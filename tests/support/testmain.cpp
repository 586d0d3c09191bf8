// SPDX-License-Identifier: Apache-2.0
#include "support/testprogram.h"

int main(int argc, char* argv[]) {
    return lockkeeper::test::TestProgram::run(argc, argv);
}
