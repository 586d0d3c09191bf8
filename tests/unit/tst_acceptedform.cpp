// SPDX-License-Identifier: Apache-2.0
#include "serve/http/acceptedform.h"
#include "serve/http/audience.h"
#include "support/testprogram.h"

#include <QTest>

namespace tst_acceptedform {

using namespace lockkeeper;
using metrics::TextForm;

class TestAcceptedForm : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void choosesAForm_data() {
        QTest::addColumn<QByteArray>("accept");
        QTest::addColumn<bool>("isOpenMetrics");
        QTest::addRow("nothing") << QByteArray() << false;
        QTest::addRow("anything") << QByteArray("*/*") << false;
        QTest::addRow("a browser") << QByteArray("text/html,application/xhtml+xml,*/*;q=0.8") << false;
        QTest::addRow("Prometheus 2.42")
            << QByteArray(
                   "application/openmetrics-text;version=1.0.0,application/openmetrics-text;version=0.0.1;q=0.75,"
                   "text/plain;version=0.0.4;q=0.5,*/*;q=0.1")
            << true;
        QTest::addRow("text first") << QByteArray("application/openmetrics-text; q=0.3, text/plain; q=0.9") << false;
        QTest::addRow("not wanted") << QByteArray("application/openmetrics-text;q=0") << false;
        QTest::addRow("a later version") << QByteArray("application/openmetrics-text;version=2.0.0") << false;
        QTest::addRow("large letters") << QByteArray("Application/OpenMetrics-Text; Version=1.0.0") << true;
    }
    void choosesAForm() {
        QFETCH(QByteArray, accept);
        QFETCH(bool, isOpenMetrics);
        QCOMPARE(serve::acceptedForm(accept), isOpenMetrics ? TextForm::OpenMetrics : TextForm::Prometheus);
    }

    void knowsItsOwnHosts_data() {
        QTest::addColumn<QByteArray>("host");
        QTest::addColumn<bool>("isOwn");
        for (const char* own : {"localhost", "LOCALHOST:19121", "127.0.0.1", "127.0.0.1:19121", "127.3.2.1", "[::1]:1"})
            QTest::addRow("%s", own) << QByteArray(own) << true;
        for (const char* foreign :
             {"evil.example", "evil.example:19121", "localhost.evil.example", "127.0.0.1.evil.example", "10.0.0.1",
              "[::2]", "localhost:123456", "", "localhost@evil.example", "1"})
            QTest::addRow("foreign %s", foreign) << QByteArray(foreign) << false;
    }
    void knowsItsOwnHosts() {
        QFETCH(QByteArray, host);
        QTEST(serve::isOwnHost(host), "isOwn");
    }
};

LOCKKEEPER_TEST(TestAcceptedForm, Appless)

}  // namespace tst_acceptedform

#include "tst_acceptedform.moc"
