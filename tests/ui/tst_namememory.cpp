#include "support/awkwardnames.h"
#include "support/emptysettings.h"
#include "support/samplelocks.h"
#include "support/testprogram.h"
#include "ui/window/namememory.h"

#include <QSettings>
#include <QTemporaryDir>
#include <QTest>

using namespace lockkeeper;
using namespace lockkeeper::test;
using namespace lockkeeper::ui;
using namespace std::chrono_literals;

class TestNameMemory : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() {
        m_settings = emptySettings(m_directory);
    }

    void theNextSessionHasTheNamesNewestFirst() {
        {
            NameMemory memory(*m_settings);
            QCOMPARE(memory.open(QStringLiteral("cache:6379/1")), QList<LockName>());
            memory.note(QStringLiteral("cache:6379/1"), {held("a"), held("b/{1}, 2"), held(QByteArray("\xff\n\0;", 4))});
            memory.note(QStringLiteral("cache:6379/1"), {held("a")});
            memory.save();
        }
        m_settings->sync();
        const QSettings onDisk(m_settings->fileName(), QSettings::IniFormat);
        QVERIFY(!onDisk.allKeys().isEmpty());
        NameMemory memory(*m_settings);
        QCOMPARE(memory.open(QStringLiteral("cache:6379/1")),
                 (QList<LockName>{LockName("a"), LockName(QByteArray("\xff\n\0;", 4)), LockName("b/{1}, 2")}));
        QCOMPARE(memory.open(QStringLiteral("cache:6379")), QList<LockName>());
    }

    void everyNameComesBackAsItWas_data() { addAwkwardNames(); }
    void everyNameComesBackAsItWas() {
        QFETCH(const QByteArray, name);
        NameMemory memory(*m_settings);
        memory.open(QStringLiteral("s"));
        memory.note(QStringLiteral("s"), {held(name)});
        memory.save();
        m_settings->sync();
        QSettings onDisk(m_settings->fileName(), QSettings::IniFormat);
        QCOMPARE(NameMemory(onDisk).open(QStringLiteral("s")), QList<LockName>{LockName(name)});
    }

    void whatIsFreeOrTooLongIsNotKept() {
        NameMemory memory(*m_settings);
        memory.open(QStringLiteral("s"));
        memory.note(QStringLiteral("s"), {freeRow(m_clock, LockName("free")), held(QByteArray(1001, 'x')),
                                          held(QByteArray(1000, 'y'))});
        QCOMPARE(memory.open(QStringLiteral("s")), QList<LockName>{LockName(QByteArray(1000, 'y'))});
    }

    void rowsOfTheServerBeforeAreNotTheNewOnes() {
        NameMemory memory(*m_settings);
        memory.open(QStringLiteral("one"));
        memory.open(QStringLiteral("two"));
        memory.note(QStringLiteral("one"), {held("late")});
        QCOMPARE(memory.open(QStringLiteral("two")), QList<LockName>());
        memory.close();
        memory.note(QStringLiteral("two"), {held("later")});
        QCOMPARE(memory.open(QStringLiteral("two")), QList<LockName>());
    }

    void keepsTheNewestNames() {
        NameMemory memory(*m_settings);
        memory.open(QStringLiteral("s"));
        const qsizetype many = 5 * NameMemory::mostNames;
        for (qsizetype i = 0; i < many; ++i)
            memory.note(QStringLiteral("s"), {held("L" + QByteArray::number(i))});
        const QList<LockName> names = memory.open(QStringLiteral("s"));
        QCOMPARE(names.size(), NameMemory::mostNames);
        QCOMPARE(names.first(), LockName("L" + QByteArray::number(many - 1)));
        QCOMPARE(names.last(), LockName("L" + QByteArray::number(many - NameMemory::mostNames)));
    }

    void keepsTheServersThatWereUsedLast() {
        NameMemory memory(*m_settings);
        for (int i = 0; i <= NameMemory::mostServers; ++i) {
            const QString server = QStringLiteral("server %1").arg(i);
            memory.open(server);
            memory.note(server, {held("L")});
        }
        memory.close();
        QCOMPARE(memory.open(QStringLiteral("server 0")).size(), 0);
        QCOMPARE(memory.open(QStringLiteral("server 1")).size(), 1);
        QCOMPARE(memory.open(QStringLiteral("server 10")).size(), 1);
        QCOMPARE(m_settings->allKeys().size(), NameMemory::mostServers + 1);
    }

private:
    monitor::LockRow held(const QByteArray& name) { return heldRow(m_clock, LockName(name), 1s); }

    QTemporaryDir m_directory;
    ManualClock m_clock;
    std::unique_ptr<QSettings> m_settings;
};

LOCKKEEPER_TEST(TestNameMemory, Guiless)
#include "tst_namememory.moc"
