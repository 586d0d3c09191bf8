// SPDX-License-Identifier: Apache-2.0
#include "ui/connections/redissonfile.h"

#include "profile/configuration/redissoncause.h"
#include "ui/base/retranslating.h"
#include "ui/connections/springprofiledialog.h"
#include "ui/connections/variablesdialog.h"

#include <QFileDialog>
#include <QFileInfo>

#include <algorithm>

namespace lockkeeper::ui {

namespace {

// The ending of a file may have capitals.
QString patternFor(const QStringList& endings) {
    QStringList patterns;
    for (const QString& ending : endings)
        patterns += QStringLiteral("*.%1 *.%2").arg(ending, ending.toUpper());
    return patterns.join(QLatin1Char(' '));
}

// Profiles with servers that were not used.
QStringList otherProfiles(const profile::RedissonConnection& found) {
    const auto isOther = [](const profile::RedissonNote& note) {
        return note.kind == profile::RedissonNote::Kind::OtherProfiles;
    };
    const auto note = std::find_if(found.notes.cbegin(), found.notes.cend(), isOther);
    return note == found.notes.cend() ? QStringList() : note->arguments;
}

}  // namespace

RedissonFile::RedissonFile(QWidget& dialog, FileThread& files) : QObject(&dialog), m_dialog(dialog), m_files(files) {}

void RedissonFile::askForFile() {
    auto* choosing = new QFileDialog(&m_dialog);
    choosing->setObjectName(QStringLiteral("redissonFileDialog"));
    choosing->setAttribute(Qt::WA_DeleteOnClose);
    choosing->setFileMode(QFileDialog::ExistingFile);
    keepTranslated(*choosing, [choosing] {
        const QString pattern =
            patternFor({QStringLiteral("yaml"), QStringLiteral("yml"), QStringLiteral("json"),
                        QStringLiteral("properties"), QStringLiteral("jar"), QStringLiteral("war")});
        choosing->setWindowTitle(tr("Open a configuration of Redisson or Spring"));
        choosing->setNameFilters({tr("Configurations (%1)").arg(pattern), tr("All files (*)")});
    });
    connect(choosing, &QFileDialog::fileSelected, this, &RedissonFile::open);
    choosing->open();
}

void RedissonFile::open(const QString& path) {
    using Files = Result<profile::ConfigurationFiles>;
    const QString name = QFileInfo(path).fileName();
    onAnswer(m_files.run<Files>([path] { return profile::openConfiguration(path); }), this,
             [this, name](const Files& files) {
                 if (files)
                     read({name, *files, {}, {}});
                 else
                     Q_EMIT done({name, files.error()});
             });
}

// The environment is not asked: the author of the file decides to which server a variable goes.
void RedissonFile::read(const Content& content) {
    using Found = Result<profile::RedissonConnection>;
    const auto work = [content] {
        const auto valueOf = [&content](const QString& name) {
            const auto entered = content.values.constFind(name);
            return entered == content.values.cend() ? std::nullopt : std::optional(*entered);
        };
        return profile::connectionOf(content.files, {content.springProfile.value_or(QString()), valueOf});
    };
    onAnswer(m_files.run<Found>(work), this, [this, content](const Found& found) { use(content, found); });
}

void RedissonFile::use(const Content& content, const Result<profile::RedissonConnection>& found) {
    const bool areNeeded = !found && found.error().cause == profile::RedissonCause::Profiles;
    const QStringList profiles = found ? otherProfiles(*found) : areNeeded ? found.error().arguments : QStringList();
    if (!content.springProfile && !profiles.isEmpty())
        return askForProfile(content, profiles, found);
    if (!found && found.error().cause == profile::RedissonCause::Variables)
        return askForVariables(content, found.error().arguments);
    Q_EMIT done({content.name, found});
}

void RedissonFile::askForProfile(const Content& content, const QStringList& profiles,
                                 const Result<profile::RedissonConnection>& found) {
    using Without = SpringProfileDialog::Without;
    auto* asking = new SpringProfileDialog(profiles, found ? Without::HasServers : Without::HasNone, &m_dialog);
    asking->setObjectName(QStringLiteral("springProfileDialog"));
    asking->setAttribute(Qt::WA_DeleteOnClose);
    connect(asking, &QDialog::accepted, this, [this, asking, content] {
        Content complete = content;
        complete.springProfile = asking->profile();
        read(complete);
    });
    asking->open();
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
