// SPDX-License-Identifier: Apache-2.0
#include "support/emptysettings.h"
#include "support/testprogram.h"
#include "ui/base/storedvalues.h"

#include <QPoint>
#include <QTest>

namespace tst_storedvalues {

using namespace lockkeeper::test;
using namespace lockkeeper::ui;

// Values of a settings file, as this program sets them and as they are read from the file.
class TestStoredValues : public QObject {
    Q_OBJECT

private:
    static QString key() { return QStringLiteral("group/key"); }
    static bool isShort(const QString& text) { return text.size() < 4; }
    // As a later run reads it.
    QSettings& fromFile() {
        m_settings->sync();
        const QString file = m_settings->fileName();
        m_settings.reset();
        m_settings = std::make_unique<QSettings>(file, QSettings::IniFormat);
        return *m_settings;
    }

    QTemporaryDir m_directory;
    std::unique_ptr<QSettings> m_settings;

private Q_SLOTS:
    void init() { m_settings = emptySettings(m_directory); }

    void aNumberIsAWholeOneWithinItsBounds_data() {
        QTest::addColumn<QVariant>("value");
        QTest::addColumn<bool>("isPlausible");
        QTest::newRow("least") << QVariant(5) << true;
        QTest::newRow("most") << QVariant(qint64{100}) << true;
        QTest::newRow("below") << QVariant(4) << false;
        QTest::newRow("above") << QVariant(101) << false;
        QTest::newRow("negative") << QVariant(-5) << false;
        QTest::newRow("huge") << QVariant(QStringLiteral("99999999999999999999999")) << false;
        QTest::newRow("a fraction") << QVariant(QStringLiteral("7.5")) << false;
        QTest::newRow("a word") << QVariant(QStringLiteral("x")) << false;
        QTest::newRow("empty") << QVariant(QString()) << false;
        QTest::newRow("a list") << QVariant(QStringList{"7", "8"}) << false;
        QTest::newRow("bytes") << QVariant(QByteArray("7")) << false;
        QTest::newRow("something of Qt's") << QVariant(QPoint(7, 8)) << false;
    }
    void aNumberIsAWholeOneWithinItsBounds() {
        QFETCH(const QVariant, value);
        QFETCH(const bool, isPlausible);
        m_settings->setValue(key(), value);
        QCOMPARE(storedNumber(*m_settings, key(), 5, 100).has_value(), isPlausible);
        m_settings->setValue(key(), value);
        QCOMPARE(storedNumber(fromFile(), key(), 5, 100).has_value(), isPlausible);
        QCOMPARE(m_settings->contains(key()), isPlausible);
        QCOMPARE(takeDropped(*m_settings), isPlausible ? QStringList() : QStringList(key()));
    }

    void aSwitchIsOnOrOff_data() {
        QTest::addColumn<QVariant>("value");
        QTest::addColumn<bool>("isPlausible");
        QTest::newRow("on") << QVariant(true) << true;
        QTest::newRow("off") << QVariant(false) << true;
        QTest::newRow("a number") << QVariant(7) << false;
        QTest::newRow("a word") << QVariant(QStringLiteral("maybe")) << false;
        QTest::newRow("a list") << QVariant(QStringList{"true", "true"}) << false;
    }
    void aSwitchIsOnOrOff() {
        QFETCH(const QVariant, value);
        QFETCH(const bool, isPlausible);
        m_settings->setValue(key(), value);
        QCOMPARE(storedSwitch(*m_settings, key()), isPlausible ? std::optional(value.toBool()) : std::nullopt);
        m_settings->setValue(key(), value);
        QCOMPARE(storedSwitch(fromFile(), key()), isPlausible ? std::optional(value.toBool()) : std::nullopt);
        QCOMPARE(takeDropped(*m_settings).isEmpty(), isPlausible);
    }

    void whatIsNotSetIsNoDamage() {
        QVERIFY(!storedNumber(*m_settings, key(), 0, 1));
        QVERIFY(!storedSwitch(*m_settings, key()));
        QVERIFY(!storedText(*m_settings, key(), isShort));
        QVERIFY(storedTexts(*m_settings, key(), 10, isShort).isEmpty());
        m_settings->setValue(key(), QStringList());
        QVERIFY(storedTexts(fromFile(), key(), 10, isShort).isEmpty());
        QCOMPARE(takeDropped(*m_settings), QStringList());
    }

    void ofAListOnlyWhatIsNotPlausibleIsDropped_data() {
        QTest::addColumn<QVariant>("value");
        QTest::addColumn<QStringList>("kept");
        QTest::newRow("all of it is") << QVariant(QStringList{"a", "b"}) << QStringList{"a", "b"};
        QTest::newRow("a list of one is written as a text") << QVariant(QStringList{"a"}) << QStringList{"a"};
        QTest::newRow("one is too long") << QVariant(QStringList{"a", "long", "b"}) << QStringList{"a", "b"};
        QTest::newRow("too many") << QVariant(QStringList{"a", "b", "c", "d"}) << QStringList{"a", "b", "c"};
        QTest::newRow("bytes") << QVariant(QByteArray("a")) << QStringList();
    }
    void ofAListOnlyWhatIsNotPlausibleIsDropped() {
        QFETCH(const QVariant, value);
        QFETCH(const QStringList, kept);
        m_settings->setValue(key(), value);
        QCOMPARE(storedTexts(fromFile(), key(), 3, isShort), kept);
        QCOMPARE(storedTexts(fromFile(), key(), 3, isShort), kept);
        QCOMPARE(takeDropped(*m_settings).isEmpty(), value.toStringList() == kept && !kept.isEmpty());
    }

    void aTextOrBytesOfAnotherKindAreDropped() {
        m_settings->setValue(key(), QByteArray("abc"));
        QVERIFY(!storedText(fromFile(), key(), isShort));
        m_settings->setValue(key(), QStringLiteral("abc"));
        QVERIFY(!storedBytes(fromFile(), key(), [](const QByteArray&) { return true; }));
        m_settings->setValue(key(), QStringLiteral("abc"));
        QCOMPARE(storedText(fromFile(), key(), isShort), std::optional(QStringLiteral("abc")));
        m_settings->setValue(key(), QByteArray("abc"));
        QCOMPARE(storedBytes(fromFile(), key(), [](const QByteArray&) { return true; }),
                 std::optional(QByteArray("abc")));
    }

    void eachKeyIsListedOnceAndUntilItIsTaken() {
        for (int i = 0; i < 3; ++i) {
            m_settings->setValue(key(), QStringLiteral("x"));
            QVERIFY(!storedNumber(*m_settings, key(), 0, 1));
        }
        QCOMPARE(takeDropped(fromFile()), QStringList(key()));
        QVERIFY(takeDropped(fromFile()).isEmpty());
    }

    void theListOfThemMayBeDamagedToo_data() {
        QTest::addColumn<QVariant>("list");
        QTest::newRow("bytes") << QVariant(QByteArray(5000, '\xff'));
        QTest::newRow("too long") << QVariant(QStringList(5000, QStringLiteral("x")));
        QTest::newRow("a long key") << QVariant(QStringList(QString(5000, u'x')));
    }
    void theListOfThemMayBeDamagedToo() {
        QFETCH(const QVariant, list);
        m_settings->setValue(QStringLiteral("settings/dropped"), list);
        dropStored(fromFile(), key());
        const QStringList dropped = takeDropped(fromFile());
        QVERIFY(dropped.contains(key()));
        QVERIFY(dropped.size() <= 100);
        QVERIFY(dropped.join(u' ').size() < 5000);
    }
};

LOCKKEEPER_TEST(TestStoredValues, Guiless)

}  // namespace tst_storedvalues

#include "tst_storedvalues.moc"
