// SPDX-License-Identifier: Apache-2.0
#include "profile/profileexchange.h"
#include "support/guitestprogram.h"
#include "support/windowtest.h"
#include "ui/base/messagebar.h"

#include <QAbstractButton>
#include <QAction>
#include <QFileDialog>
#include <QListView>
#include <QMessageBox>
#include <QTest>

namespace tst_importedconnections {

using namespace lockkeeper;
using namespace lockkeeper::test;
using namespace lockkeeper::ui;
using profile::StoredProfile;

// Saved connections, exported to a file and imported again by the real window.
class TestImportedConnections : public test::WindowTest {
    Q_OBJECT

private:
    static StoredProfile saved(const char* id, const char* name, const char* url = "redis://a.example") {
        StoredProfile stored;
        stored.profile = *profile::ConnectionProfile::fromUrl(QLatin1String(url));
        stored.profile.id = profile::ProfileId(QLatin1String(id));
        stored.keeping = StoredProfile::Keeping::Saved;
        stored.label.name = QLatin1String(name);
        return stored;
    }
    QString file() const { return m_directory->filePath(QStringLiteral("exported.json")); }
    // Acts as if the user chose that file.
    void choose(const char* action, const char* dialog) {
        find<QAction>(action).trigger();
        auto* files = m_window->findChild<QFileDialog*>(QString::fromLatin1(dialog));
        QVERIFY(files);
        Q_EMIT files->fileSelected(file());
        files->reject();
        QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
    }
    void importFile() { choose("actionImportProfiles", "importProfilesDialog"); }
    QString lastMessage() const {
        const QStringList texts = m_window->messages().texts();
        return texts.isEmpty() ? QString() : texts.back();
    }
    QStringList names() const {
        QStringList names;
        const Result<QList<StoredProfile>> saved = m_profiles->load();
        for (const StoredProfile& stored : *saved)
            names << stored.label.name;
        return names;
    }
    void answer(const char* button) {
        find<QMessageBox>("importQuestion").findChild<QAbstractButton*>(QLatin1String(button))->click();
    }

private Q_SLOTS:
    void init() {
        begin();
        makeWindow();
    }
    void cleanup() { end(); }

    void withoutSavedOnesThereIsNothingToExport() {
        find<QAction>("actionExportProfiles").trigger();
        QVERIFY(!m_window->findChild<QFileDialog*>());
        QVERIFY2(lastMessage().startsWith(QStringLiteral("There is no saved connection")), qPrintable(lastMessage()));
    }

    void anExportIsImportedElsewhere() {
        QVERIFY(m_profiles->keep(saved("1", "Orders")).ok());
        choose("actionExportProfiles", "exportProfilesDialog");
        QVERIFY2(lastMessage().startsWith(QStringLiteral("1 connection written, without passwords, to ")),
                 qPrintable(lastMessage()));
        QVERIFY(m_profiles->forget(profile::ProfileId(QStringLiteral("1"))).ok());
        importFile();
        QCOMPARE(names(), QStringList("Orders"));
        QCOMPARE(lastMessage(), QStringLiteral("Connections imported: 1 new, 0 replaced, 0 left as they are."));
        QVERIFY(find<QListView>("connectionList").isVisible());  // the start page shows it at once
    }

    void anExportThatFailsIsReported() {
        QVERIFY(m_profiles->keep(saved("1", "Orders")).ok());
        QVERIFY(QDir().mkpath(file()));  // a folder in place of the file
        choose("actionExportProfiles", "exportProfilesDialog");
        QVERIFY2(lastMessage().startsWith(QStringLiteral("The connections were not exported: ")),
                 qPrintable(lastMessage()));
    }

    void theSameAgainChangesNothing() {
        QVERIFY(m_profiles->keep(saved("1", "Orders")).ok());
        QVERIFY(profile::exportProfiles(file(), {saved("1", "Orders")}).ok());
        importFile();
        QVERIFY(!m_window->findChild<QMessageBox*>());
        QCOMPARE(lastMessage(), QStringLiteral("Connections imported: 0 new, 0 replaced, 1 left as they are."));
    }

    void ofOtherSettingsTheUserIsAsked_data() {
        QTest::addColumn<QByteArray>("button");
        QTest::addColumn<QStringList>("names");
        QTest::newRow("keep mine") << QByteArray("importKeepKnown") << QStringList{"Orders", "New"};
        QTest::newRow("replace mine") << QByteArray("importReplace") << QStringList{"Renamed", "New"};
        QTest::newRow("keep both") << QByteArray("importKeepBoth") << QStringList{"Orders", "Renamed", "New"};
    }
    void ofOtherSettingsTheUserIsAsked() {
        QFETCH(const QByteArray, button);
        QVERIFY(m_profiles->keep(saved("1", "Orders")).ok());
        QVERIFY(profile::exportProfiles(file(), {saved("1", "Renamed"), saved("2", "New")}).ok());
        importFile();
        QCOMPARE(names(), QStringList("Orders"));  // nothing is imported before the user answers
        const QString question = find<QMessageBox>("importQuestion").text();
        QVERIFY2(
            question.contains(QStringLiteral("1 connection of the file is saved here with other settings: Renamed")),
            qPrintable(question));
        answer(button.constData());
        QTEST(names(), "names");
    }

    void cancelImportsNothing() {
        QVERIFY(m_profiles->keep(saved("1", "Orders")).ok());
        QVERIFY(profile::exportProfiles(file(), {saved("1", "Renamed"), saved("2", "New")}).ok());
        importFile();
        find<QMessageBox>("importQuestion").button(QMessageBox::Cancel)->click();
        QCOMPARE(names(), QStringList("Orders"));
    }

    void aFileThatCannotBeUsedIsRefusedWithTheReason_data() {
        QTest::addColumn<QByteArray>("content");
        QTest::addColumn<QString>("reason");
        QTest::newRow("damaged") << QByteArray("{\"version\": 4")
                                 << QStringLiteral("is damaged, or no list of connections");
        QTest::newRow("later") << QByteArray("{\"version\": 99, \"profiles\": []}")
                               << QStringLiteral("was written by a later version of Lockkeeper");
        QTest::newRow("missing") << QByteArray() << QStringLiteral("is not a file");
    }
    void aFileThatCannotBeUsedIsRefusedWithTheReason() {
        QFETCH(const QByteArray, content);
        QFETCH(const QString, reason);
        QVERIFY(m_profiles->keep(saved("1", "Orders")).ok());
        if (!content.isEmpty()) {
            QFile opened(file());
            QVERIFY(opened.open(QIODevice::WriteOnly));
            opened.write(content);
        }
        importFile();
        QVERIFY2(lastMessage().startsWith(QStringLiteral("Nothing was imported: ")) && lastMessage().contains(reason),
                 qPrintable(lastMessage()));
        QCOMPARE(names(), QStringList("Orders"));
    }

    void theirListThatCannotBeWrittenIsReported() {
        QVERIFY(profile::exportProfiles(file(), {saved("1", "Orders")}).ok());
        QVERIFY(QDir().mkpath(m_directory->filePath(QStringLiteral("profiles.json"))));
        importFile();
        QVERIFY2(lastMessage().startsWith(QStringLiteral("Problem with the list of connections")),
                 qPrintable(lastMessage()));
    }
};

LOCKKEEPER_TEST(TestImportedConnections, Gui)

}  // namespace tst_importedconnections

#include "tst_importedconnections.moc"
