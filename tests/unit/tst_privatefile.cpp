// SPDX-License-Identifier: Apache-2.0
#include "app/gui/privatefile.h"
#include "support/testprogram.h"

#include <QFile>
#include <QFileInfo>
#include <QSettings>
#include <QTemporaryDir>
#include <QTest>

namespace tst_privatefile {

using namespace lockkeeper;

// The user's settings name servers, locks and hosts, which other users must not read.
class TestPrivateFile : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void settingsAreReadByTheirOwnerAlone_data() {
        QTest::addColumn<bool>("exists");
        QTest::newRow("new") << false;
        QTest::newRow("of an earlier version") << true;
    }
    void settingsAreReadByTheirOwnerAlone() {
        QFETCH(bool, exists);
        const QTemporaryDir directory;
        const QString path = directory.filePath(QStringLiteral("folder/lockkeeper.conf"));
        if (exists) {
            QSettings(path, QSettings::IniFormat).setValue(QStringLiteral("earlier"), 1);
            QFile::setPermissions(path, QFile::ReadOwner | QFile::WriteOwner | QFile::ReadGroup | QFile::ReadOther);
        }
        QVERIFY(app::keepPrivate(path));
        QSettings settings(path, QSettings::IniFormat);
        settings.setValue(QStringLiteral("later"), 2);
        settings.sync();
        const QFile::Permissions others = QFile::ReadGroup | QFile::WriteGroup | QFile::ReadOther | QFile::WriteOther;
        QCOMPARE(QFile(path).permissions() & others, QFile::Permissions());
        QCOMPARE(settings.value(QStringLiteral("later")).toInt(), 2);
        QCOMPARE(settings.contains(QStringLiteral("earlier")), exists);
    }

    void saysWhenItCannot() { QVERIFY(!app::keepPrivate(QStringLiteral("/proc/nowhere/lockkeeper.conf"))); }
};

LOCKKEEPER_TEST(TestPrivateFile, Appless)

}  // namespace tst_privatefile

#include "tst_privatefile.moc"
