// SPDX-License-Identifier: Apache-2.0
#include "support/awkwardnames.h"
#include "support/emptysettings.h"
#include "support/samplelocks.h"
#include "support/testprogram.h"
#include "ui/connections/namememory.h"

#include <QSettings>
#include <QTemporaryDir>
#include <QTest>

namespace tst_namememory {

using namespace lockkeeper;
using namespace lockkeeper::test;
using namespace lockkeeper::ui;
using namespace std::chrono_literals;

class TestNameMemory : public QObject {
    Q_OBJECT

private Q_SLOTS:
    // Names were kept under the address before profiles had ids.
    void takesOverWhatWasKeptUnderTheAddress() {
        const QString address = QStringLiteral("cache:6379/1");
        const profile::ProfileId id(QStringLiteral("@cache:6379/1"));
        NameMemory memory(*m_settings);
        memory.open(profile::ProfileId(address), QString());
        memory.note(profile::ProfileId(address), {held("a")});
        memory.close();
        QCOMPARE(memory.open(id, address), QList<LockName>{lockName("a")});
        memory.close();
        QCOMPARE(memory.open(profile::ProfileId(address), QString()), QList<LockName>());
        QCOMPARE(memory.open(id, QString()), QList<LockName>{lockName("a")});
    }

    void init() { m_settings = emptySettings(m_directory); }

    void theNextSessionHasTheNamesNewestFirst() {
        {
            NameMemory memory(*m_settings);
            QCOMPARE(memory.open(profile::ProfileId(QStringLiteral("cache:6379/1")), QString()), QList<LockName>());
            memory.note(profile::ProfileId(QStringLiteral("cache:6379/1")),
                        {held("a"), held("b/{1}, 2"), held(QByteArray("\xff\n\0;", 4))});
            memory.note(profile::ProfileId(QStringLiteral("cache:6379/1")), {held("a")});
            memory.save();
        }
        m_settings->sync();
        const QSettings onDisk(m_settings->fileName(), QSettings::IniFormat);
        QVERIFY(!onDisk.allKeys().isEmpty());
        NameMemory memory(*m_settings);
        QCOMPARE(memory.open(profile::ProfileId(QStringLiteral("cache:6379/1")), QString()),
                 (QList<LockName>{LockName("a"), LockName(QByteArray("\xff\n\0;", 4)), LockName("b/{1}, 2")}));
        QCOMPARE(memory.open(profile::ProfileId(QStringLiteral("cache:6379")), QString()), QList<LockName>());
    }

    void everyNameComesBackAsItWas_data() { addAwkwardNames(); }
    void everyNameComesBackAsItWas() {
        QFETCH(const QByteArray, name);
        NameMemory memory(*m_settings);
        memory.open(profile::ProfileId(QStringLiteral("s")), QString());
        memory.note(profile::ProfileId(QStringLiteral("s")), {held(name)});
        memory.save();
        m_settings->sync();
        QSettings onDisk(m_settings->fileName(), QSettings::IniFormat);
        QCOMPARE(NameMemory(onDisk).open(profile::ProfileId(QStringLiteral("s")), QString()),
                 QList<LockName>{LockName(name)});
    }

    void whatIsFreeOrTooLongIsNotKept() {
        NameMemory memory(*m_settings);
        memory.open(profile::ProfileId(QStringLiteral("s")), QString());
        memory.note(
            profile::ProfileId(QStringLiteral("s")),
            {sharedRow(freeRow(m_clock, LockName("free"))), held(QByteArray(1001, 'x')), held(QByteArray(1000, 'y'))});
        QCOMPARE(memory.open(profile::ProfileId(QStringLiteral("s")), QString()),
                 QList<LockName>{LockName(QByteArray(1000, 'y'))});
    }

    void rowsOfTheServerBeforeAreNotTheNewOnes() {
        NameMemory memory(*m_settings);
        memory.open(profile::ProfileId(QStringLiteral("one")), QString());
        memory.open(profile::ProfileId(QStringLiteral("two")), QString());
        memory.note(profile::ProfileId(QStringLiteral("one")), {held("late")});
        QCOMPARE(memory.open(profile::ProfileId(QStringLiteral("two")), QString()), QList<LockName>());
        memory.close();
        memory.note(profile::ProfileId(QStringLiteral("two")), {held("later")});
        QCOMPARE(memory.open(profile::ProfileId(QStringLiteral("two")), QString()), QList<LockName>());
    }

    void keepsTheNewestNames() {
        NameMemory memory(*m_settings);
        memory.open(profile::ProfileId(QStringLiteral("s")), QString());
        const qsizetype many = 5 * NameMemory::mostNames;
        for (qsizetype i = 0; i < many; ++i)
            memory.note(profile::ProfileId(QStringLiteral("s")), {held("L" + QByteArray::number(i))});
        const QList<LockName> names = memory.open(profile::ProfileId(QStringLiteral("s")), QString());
        QCOMPARE(names.size(), NameMemory::mostNames);
        QCOMPARE(names.first(), LockName("L" + QByteArray::number(many - 1)));
        QCOMPARE(names.last(), LockName("L" + QByteArray::number(many - NameMemory::mostNames)));
    }

    void keepsTheServersThatWereUsedLast() {
        NameMemory memory(*m_settings);
        for (int i = 0; i <= NameMemory::mostServers; ++i) {
            const QString server = QStringLiteral("server %1").arg(i);
            memory.open(profile::ProfileId(server), QString());
            memory.note(profile::ProfileId(server), {held("L")});
        }
        memory.close();
        QCOMPARE(memory.open(profile::ProfileId(QStringLiteral("server 0")), QString()).size(), 0);
        QCOMPARE(memory.open(profile::ProfileId(QStringLiteral("server 1")), QString()).size(), 1);
        QCOMPARE(memory.open(profile::ProfileId(QStringLiteral("server 10")), QString()).size(), 1);
        QCOMPARE(m_settings->allKeys().size(), NameMemory::mostServers + 1);
    }

private:
    monitor::SharedRow held(const QByteArray& name) { return sharedRow(heldRow(m_clock, LockName(name), 1s)); }

    QTemporaryDir m_directory;
    ManualClock m_clock;
    std::unique_ptr<QSettings> m_settings;
};

LOCKKEEPER_TEST(TestNameMemory, Guiless)

}  // namespace tst_namememory

#include "tst_namememory.moc"
