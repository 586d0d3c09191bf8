// SPDX-License-Identifier: Apache-2.0
#include "monitor/observe/unknownnames.h"
#include "support/testprogram.h"

#include <QTest>

namespace tst_unknownnames {

using namespace lockkeeper;
using namespace lockkeeper::monitor;
using namespace std::chrono_literals;

namespace {

using Report = UnknownNames::Report;

constexpr SteadyTime start{1h};

// A name as large as 1,001 short ones: ten such names are too many.
LockName longName(char letter) {
    return LockName(QByteArray(1'000'000, letter));
}

}  // namespace

class TestUnknownNames : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void onlyTheFirstMessageIsReported() {
        UnknownNames names;
        QCOMPARE(names.count(LockName("L"), start), Report::First);
        QCOMPARE(names.count(LockName("L"), start), Report::Repeated);
        QCOMPARE(names.take(LockName("L")), 2);
        QCOMPARE(names.take(LockName("L")), 0);
        QCOMPARE(names.count(LockName("L"), start), Report::First);
    }

    void theyAreBoundedByBytes() {
        UnknownNames names;
        for (char letter = 'a'; letter < 'j'; ++letter)
            QCOMPARE(names.count(longName(letter), start), Report::First);
        QCOMPARE(names.count(longName('z'), start), Report::Repeated);
        QCOMPARE(names.messages(longName('z')), 0);
        QCOMPARE(names.count(LockName("short"), start), Report::First);
        QCOMPARE(names.count(longName('a'), start), Report::Repeated);
        QCOMPARE(names.messages(longName('a')), 2);
    }

    void roomIsMadeByWhatIsTakenOrNoLock() {
        UnknownNames names;
        for (char letter = 'a'; letter < 'j'; ++letter)
            (void)names.count(longName(letter), start);
        QCOMPARE(names.take(longName('a')), 1);
        QCOMPARE(names.count(longName('z'), start), Report::First);
        names.dismiss(longName('b'), start);
        QCOMPARE(names.count(longName('y'), start + 500ms), Report::Repeated);
        QCOMPARE(names.count(longName('y'), start + 1s), Report::First);
        QCOMPARE(names.messages(longName('b')), 0);
    }

    // Also of many names that each came once, and without a lack of room.
    void nothingIsKeptOfANameThatWasDismissedASecondAgo() {
        UnknownNames names;
        for (int i = 0; i < 1000; ++i) {
            const LockName name("L" + QByteArray::number(i));
            QCOMPARE(names.count(name, start), Report::First);
            names.dismiss(name, start);
        }
        QCOMPARE(names.count(LockName("new"), start + 999ms), Report::First);
        QCOMPARE(names.size(), 1001);
        QCOMPARE(names.count(LockName("new"), start + 1s), Report::Repeated);
        QCOMPARE(names.size(), 1);
    }

    void aNameThatCameAgainIsKept() {
        UnknownNames names;
        QCOMPARE(names.count(LockName("L"), start), Report::First);
        names.dismiss(LockName("L"), start);
        QCOMPARE(names.take(LockName("L")), 1);
        QCOMPARE(names.count(LockName("L"), start + 500ms), Report::First);
        QCOMPARE(names.count(LockName("L"), start + 2s), Report::Repeated);
        names.dismiss(LockName("L"), start + 2s);
        QCOMPARE(names.count(LockName("L"), start + 2500ms), Report::Repeated);
        QCOMPARE(names.count(LockName("L"), start + 3s), Report::First);
    }
};

LOCKKEEPER_TEST(TestUnknownNames, Guiless)

}  // namespace tst_unknownnames

#include "tst_unknownnames.moc"
