// SPDX-License-Identifier: Apache-2.0
#include "support/testprogram.h"

#include "support/places.h"

#include <QFileInfo>

#include <cstdio>
#include <map>

namespace lockkeeper::test {

namespace {

std::map<QByteArray, TestProgram::Main>& classes() {
    static std::map<QByteArray, TestProgram::Main> all;
    return all;
}

}  // namespace

bool TestProgram::add(const char* sourceFile, Main main) {
    return classes().emplace(QFileInfo(QString::fromLocal8Bit(sourceFile)).baseName().toLocal8Bit(), main).second;
}

int TestProgram::run(int argc, char* argv[]) {
    const auto wanted = argc > 1 ? classes().find(argv[1]) : classes().end();
    if (wanted == classes().end()) {
        std::fprintf(stderr, "usage: %s CLASS [QTest's arguments]\n", argv[0]);
        for (const auto& [name, main] : classes())
            std::fprintf(stderr, "  %s\n", name.constData());
        return 2;
    }
    // Read when Qt loads its first font, also by programs that the test starts.
    qputenv("FONTCONFIG_FILE", places::fonts().toLocal8Bit());
    argv[1] = argv[0];
    return wanted->second(argc - 1, argv + 1);
}

}  // namespace lockkeeper::test
