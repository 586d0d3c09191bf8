// SPDX-License-Identifier: Apache-2.0
#include "monitor/model/diagnosis.h"
#include "support/testprogram.h"

#include <QSet>
#include <QTest>

namespace tst_diagnosis {

using namespace lockkeeper;
using namespace lockkeeper::monitor;

namespace {

constexpr int kinds = static_cast<int>(std::variant_size_v<AnyEvidence>);

const Diagnosis information{Certainty::Likely, FixedLease{}};
const Diagnosis fault{Certainty::Suspected, ReentryLeak{}};

}  // namespace

class TestDiagnosis : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void itsEvidenceSaysOfWhichKindItIs() {
        QCOMPARE(information.kind(), DiagnosisKind::FixedLease);
        QCOMPARE(fault.kind(), DiagnosisKind::ReentryLeak);
    }

    void eachKindHasAWordOfItsOwn() {
        QSet<QString> words;
        for (int kind = 0; kind < kinds; ++kind)
            words.insert(wordFor(DiagnosisKind(kind)));
        QCOMPARE(words.size(), kinds);
        QVERIFY(!words.contains(QString()));
    }

    // The kinds without a known issue were measured with the real client, or need none.
    void mostWereMetInTheField() {
        const QList<DiagnosisKind> without{DiagnosisKind::Deadlock, DiagnosisKind::NeverExpires,
                                           DiagnosisKind::DeafWaiters, DiagnosisKind::AcquireTakenBack,
                                           DiagnosisKind::ReaderCutShort};
        for (int kind = 0; kind < kinds; ++kind)
            QCOMPARE(issuesOf(DiagnosisKind(kind)).isEmpty(), without.contains(DiagnosisKind(kind)));
    }

    void aFixedLeaseAloneIsNoFault() {
        QVERIFY(!hasFault({}));
        QVERIFY(!hasFault({information}));
        QVERIFY(hasFault({fault, information}));
    }

    void isAnotherWithOtherEvidence() {
        Diagnosis deeper{Certainty::Suspected, ReentryLeak{HolderId(), 12}};
        QVERIFY(deeper != fault);
        QVERIFY(fault == (Diagnosis{Certainty::Suspected, ReentryLeak{}}));
    }
};

LOCKKEEPER_TEST(TestDiagnosis, Appless)

}  // namespace tst_diagnosis

#include "tst_diagnosis.moc"
