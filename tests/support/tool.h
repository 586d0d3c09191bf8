// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QStandardPaths>

namespace lockkeeper::test {

// The path of a program that this machine must have. Without it nothing can be checked: this ends the test, which has
// failed then, and names the package to install.
inline QString tool(const QString& name, const QString& package) {
    QString path = QStandardPaths::findExecutable(name);
    if (path.isEmpty())  // programs for administrators are not in every user's PATH
        path = QStandardPaths::findExecutable(name, {QStringLiteral("/usr/sbin"), QStringLiteral("/usr/local/sbin")});
    if (path.isEmpty())
        qFatal("%s is missing: the package %s has it (packaging/install-dependencies tests)", qPrintable(name),
               qPrintable(package));
    return path;
}

}  // namespace lockkeeper::test
