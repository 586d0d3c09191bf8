// SPDX-License-Identifier: Apache-2.0
#include "lab/run/ownscript.h"

#include <QDirIterator>
#include <QFile>

#include <algorithm>

namespace lockkeeper::lab {

namespace {

// Sorted, the longest first, so that a file that begins like another one is found.
QByteArrayList ownFiles() {
    QByteArrayList files;
    for (QDirIterator paths(QStringLiteral(":/lockkeeper/locks/lua")); paths.hasNext();) {
        QFile file(paths.next());
        if (file.open(QIODevice::ReadOnly))
            files += file.readAll();
    }
    std::ranges::sort(files, std::ranges::greater(), &QByteArray::size);
    return files;
}

}  // namespace

bool isOwnScript(const QByteArray& source) {
    static const QByteArrayList files = ownFiles();
    QByteArrayView rest(source);
    while (!rest.isEmpty()) {
        const auto part = std::ranges::find_if(files, [rest](const QByteArray& file) { return rest.startsWith(file); });
        if (part == files.end())
            return false;
        rest = rest.sliced(part->size());
    }
    return !source.isEmpty();
}

}  // namespace lockkeeper::lab
