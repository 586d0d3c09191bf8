// SPDX-License-Identifier: Apache-2.0
#include "ui/connections/redissonfile.h"

#include "profile/redissoncause.h"
#include "ui/base/retranslating.h"
#include "ui/connections/variablesdialog.h"

#include <QFileDialog>
#include <QFileInfo>

namespace lockkeeper::ui {

RedissonFile::RedissonFile(QWidget& dialog) : QObject(&dialog), m_dialog(dialog) {}

void RedissonFile::askForFile() {
    auto* choosing = new QFileDialog(&m_dialog);
    choosing->setObjectName(QStringLiteral("redissonFileDialog"));
    choosing->setAttribute(Qt::WA_DeleteOnClose);
    choosing->setFileMode(QFileDialog::ExistingFile);
    keepTranslated(*choosing, [choosing] {
        choosing->setWindowTitle(tr("Open a Redisson configuration"));
        choosing->setNameFilters({tr("Redisson configurations (*.yaml *.yml *.json)"), tr("All files (*)")});
    });
    connect(choosing, &QFileDialog::fileSelected, this, &RedissonFile::open);
    choosing->open();
}

void RedissonFile::open(const QString& path) {
    const QString name = QFileInfo(path).fileName();
    const Result<QByteArray> bytes = profile::readRedissonFile(path);
    if (bytes)
        read({name, *bytes, {}});
    else
        Q_EMIT done({name, bytes.error()});
}

void RedissonFile::read(const Content& content) {
    const auto valueOf = [&content](const QString& name) {
        const auto entered = content.values.constFind(name);
        return entered == content.values.cend() ? profile::environmentVariable(name) : std::optional(*entered);
    };
    const Result<profile::RedissonConnection> found = profile::redissonConnection(content.bytes, valueOf);
    if (!found && found.error().cause == profile::RedissonCause::Variables)
        return askForVariables(content, found.error().arguments);
    Q_EMIT done({content.name, found});
}

void RedissonFile::askForVariables(const Content& content, const QStringList& names) {
    auto* asking = new VariablesDialog(names, &m_dialog);
    asking->setObjectName(QStringLiteral("variablesDialog"));
    asking->setAttribute(Qt::WA_DeleteOnClose);
    connect(asking, &QDialog::accepted, this, [this, asking, content] {
        Content complete = content;
        complete.values.insert(asking->values());
        read(complete);
    });
    asking->open();
}

}  // namespace lockkeeper::ui

#include "moc_redissonfile.cpp"
