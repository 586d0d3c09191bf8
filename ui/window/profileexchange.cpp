// SPDX-License-Identifier: Apache-2.0
#include "ui/window/profileexchange.h"

#include "ui/base/exportformat.h"
#include "ui/base/messagebar.h"
#include "ui/base/plainlabel.h"
#include "ui/base/retranslating.h"
#include "ui/connections/knownconnections.h"
#include "ui/window/mainwindow.h"
#include "ui/words/causetext.h"
#include "ui/words/locktext.h"

#include <QDir>
#include <QFileDialog>
#include <QMessageBox>
#include <QPushButton>

namespace lockkeeper::ui {

namespace {

constexpr qsizetype mostNamed = 5;

QString shownPath(const QString& path) {
    return QDir::toNativeSeparators(path);
}

QString namesOf(const QList<profile::StoredProfile>& profiles) {
    QStringList names;
    for (const profile::StoredProfile& stored : profiles.mid(0, mostNamed))
        names << shortened(stored.label.name.isEmpty() ? stored.profile.display() : stored.label.name);
    if (profiles.size() > mostNamed)
        names << QStringLiteral("…");
    return listText(names);
}

}  // namespace

ProfileExchange::ProfileExchange(KnownConnections& known, MainWindow& window)
    : QObject(&window), m_known(known), m_window(window) {}

QFileDialog* ProfileExchange::makeDialog(const QString& objectName) {
    auto* dialog = new QFileDialog(&m_window);
    dialog->setObjectName(objectName);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setDefaultSuffix(QStringLiteral("json"));
    dialog->setDirectory(folderForFiles());
    return dialog;
}

void ProfileExchange::askForExport() {
    if (m_file)
        return;
    if (m_known.saved().isEmpty())
        return m_window.messages().post([] {
            return Message{Tone::Info,
                           tr("There is no saved connection to export. Give a connection a name to save it.")};
        });
    m_file = makeDialog(QStringLiteral("exportProfilesDialog"));
    m_file->setAcceptMode(QFileDialog::AcceptSave);
    keepTranslated(*m_file, [file = m_file.data()] {
        file->setWindowTitle(tr("Export saved connections"));
        file->setNameFilters({tr("Connections (*.json)")});
    });
    m_file->selectFile(QStringLiteral("lockkeeper-connections.json"));
    connect(m_file, &QFileDialog::fileSelected, this, &ProfileExchange::write);
    m_file->open();
}

void ProfileExchange::askForImport() {
    if (m_file)
        return;
    m_file = makeDialog(QStringLiteral("importProfilesDialog"));
    m_file->setFileMode(QFileDialog::ExistingFile);
    keepTranslated(*m_file, [file = m_file.data()] {
        file->setWindowTitle(tr("Import saved connections"));
        file->setNameFilters({tr("Connections (*.json)"), tr("All files (*)")});
    });
    connect(m_file, &QFileDialog::fileSelected, this, &ProfileExchange::read);
    m_file->open();
}

void ProfileExchange::write(const QString& path) {
    const QList<profile::StoredProfile> saved = m_known.saved();
    const Result<Done> done = profile::exportProfiles(path, saved);
    if (done)
        m_window.messages().post([path, count = static_cast<int>(saved.size())] {
            return Message{
                Tone::Good,
                tr("%Ln connection(s) written, without passwords, to %1", nullptr, count).arg(shownPath(path))};
        });
    else
        m_window.messages().post([error = done.error()] {
            return Message{Tone::Danger, tr("The connections were not exported: %1.").arg(reasonText(error))};
        });
}

void ProfileExchange::read(const QString& path) {
    const profile::ProfileImport content = profile::importProfiles(path);
    if (const auto* fault = std::get_if<profile::ProfileFileFault>(&content))
        return refuse(path, *fault);
    if (const auto* error = std::get_if<Error>(&content))
        return m_window.messages().post([error = *error] {
            return Message{Tone::Danger, tr("Nothing was imported: %1.").arg(reasonText(error))};
        });
    const auto& imported = std::get<QList<profile::StoredProfile>>(content);
    const QList<profile::StoredProfile> conflicts = profile::conflicting(m_known.saved(), imported);
    if (conflicts.isEmpty())
        import(imported, profile::SameId::KeepKnown);
    else
        ask(imported, conflicts);
}

void ProfileExchange::refuse(const QString& path, profile::ProfileFileFault fault) {
    m_window.messages().post([path, fault] {
        return Message{
            Tone::Danger,
            fault == profile::ProfileFileFault::LaterVersion
                ? tr("Nothing was imported: %1 was written by a later version of Lockkeeper. Update this one first.")
                      .arg(shownPath(path))
                : tr("Nothing was imported: %1 is damaged, or no list of connections.").arg(shownPath(path))};
    });
}

void ProfileExchange::ask(const QList<profile::StoredProfile>& imported,
                          const QList<profile::StoredProfile>& conflicts) {
    if (m_question)
        return;
    m_question = plainMessageBox(&m_window);
    m_question->setObjectName(QStringLiteral("importQuestion"));
    m_question->setAttribute(Qt::WA_DeleteOnClose);
    m_question->setIcon(QMessageBox::Question);
    const auto addButton = [&](const char* objectName, profile::SameId sameId) {
        QPushButton* button = m_question->addButton(QString(), QMessageBox::AcceptRole);
        button->setObjectName(QLatin1String(objectName));
        connect(button, &QPushButton::clicked, this, [this, imported, sameId] { import(imported, sameId); });
        return button;
    };
    m_question->setDefaultButton(addButton("importKeepKnown", profile::SameId::KeepKnown));
    addButton("importReplace", profile::SameId::Replace);
    addButton("importKeepBoth", profile::SameId::KeepBoth);
    m_question->setEscapeButton(m_question->addButton(QMessageBox::Cancel));
    keepTranslated(*m_question, [this, conflicts] { nameQuestion(conflicts); });
    m_question->open();
}

void ProfileExchange::nameQuestion(const QList<profile::StoredProfile>& conflicts) {
    m_question->setWindowTitle(tr("Import saved connections"));
    m_question->setText(
        tr("%Ln connection(s) of the file are saved here with other settings: %1. Which ones do you want?", nullptr,
           static_cast<int>(conflicts.size()))
            .arg(namesOf(conflicts)));
    m_question->setInformativeText(
        tr("If an address changes, its password is asked for each time: the one in the keychain is not sent there."));
    m_question->findChild<QPushButton*>(QStringLiteral("importKeepKnown"))->setText(tr("Keep &mine"));
    m_question->findChild<QPushButton*>(QStringLiteral("importReplace"))->setText(tr("&Replace mine"));
    m_question->findChild<QPushButton*>(QStringLiteral("importKeepBoth"))->setText(tr("Keep &both"));
}

void ProfileExchange::import(const QList<profile::StoredProfile>& imported, profile::SameId sameId) {
    const std::optional<profile::ProfileMerge> merge = m_known.import(imported, sameId);
    if (!merge)
        return;
    const int same = static_cast<int>(imported.size()) - merge->added - merge->replaced;
    m_window.messages().post([added = merge->added, replaced = merge->replaced, same] {
        return Message{Tone::Good, tr("Connections imported: %1 new, %2 replaced, %3 left as they are.")
                                       .arg(numberText(added), numberText(replaced), numberText(same))};
    });
}

}  // namespace lockkeeper::ui

#include "moc_profileexchange.cpp"
