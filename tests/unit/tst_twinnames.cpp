// SPDX-License-Identifier: Apache-2.0
#include "monitor/analyse/twinnames.h"
#include "support/testprogram.h"

#include <QSet>
#include <QTest>

namespace tst_twinnames {

using namespace lockkeeper;
using namespace lockkeeper::monitor;

namespace {

class Names final : public KnownLocks {
public:
    [[nodiscard]] bool knows(const LockName& name) const override { return all.contains(name); }
    QSet<LockName> all;
};

}  // namespace

class TestTwinNames : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aPrefixOnceMoreIsATwin_data() {
        QTest::addColumn<QByteArray>("shorter");
        QTest::addColumn<QByteArray>("longer");
        QTest::addColumn<QByteArray>("prefix");  // empty: no twins
        const auto row = [](const char* shorter, const char* longer, const char* prefix) {
            QTest::addRow("%s, %s", shorter, longer) << QByteArray(shorter) << QByteArray(longer) << QByteArray(prefix);
        };
        row("prefix:myReadWriteLock", "prefix:prefix:myReadWriteLock", "prefix:");
        row("crt::lock", "crt::crt::lock", "crt::");
        row("prod.shop.orders", "prod.shop.prod.shop.orders", "prod.shop.");
        row("prod.shop.orders", "prod.prod.shop.orders", "prod.");
        row("orders", "app:orders", "");          // the prefix once
        row("app:orders", "web:app:orders", "");  // another prefix
        row("app:orders", "app:orders:7", "");
        row("app:orders", "app:app:invoices", "");
        row("aab", "aaab", "");       // no separator
        row("a:b", "a:a:b", "");      // too short to mean a prefix
        row("app:", "app:app:", "");  // nothing after it
        row("7:7:7", "7:7:7:7", "");
    }
    void aPrefixOnceMoreIsATwin() {
        QFETCH(const QByteArray, shorter);
        QFETCH(const QByteArray, longer);
        QFETCH(const QByteArray, prefix);
        for (const QByteArrayList& order : {QByteArrayList{shorter, longer}, QByteArrayList{longer, shorter}}) {
            Names names;
            TwinNames twins(names);
            for (const QByteArray& name : order) {
                names.all.insert(LockName(name));
                twins.note(LockName(name));
            }
            QCOMPARE(twins.of(LockName(shorter)).has_value(), !prefix.isEmpty());
            QCOMPARE(twins.of(LockName(longer)).has_value(), !prefix.isEmpty());
            if (prefix.isEmpty())
                continue;
            QCOMPARE(twins.of(LockName(shorter))->other, LockName(longer));
            QCOMPARE(twins.of(LockName(longer))->other, LockName(shorter));
            QCOMPARE(twins.of(LockName(longer))->prefix, prefix);
        }
    }

    void aForgottenNameHasNoTwin() {
        Names names;
        TwinNames twins(names);
        for (const char* name : {"app:orders", "app:app:orders"}) {
            names.all.insert(LockName(name));
            twins.note(LockName(name));
        }
        twins.forget(LockName("app:orders"));
        QVERIFY(!twins.of(LockName("app:orders")));
        QVERIFY(!twins.of(LockName("app:app:orders")));
    }
};

LOCKKEEPER_TEST(TestTwinNames, Appless)

}  // namespace tst_twinnames

#include "tst_twinnames.moc"
