// SPDX-License-Identifier: Apache-2.0
#include "app/tools/exportercommand.h"
#include "support/fakeengine.h"
#include "support/httpclient.h"
#include "support/samplelocks.h"
#include "support/testprogram.h"

#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

namespace tst_exportercommand {

using namespace lockkeeper;
using namespace lockkeeper::test;
using app::ExporterCommand;
using app::ExporterRequest;

class TestExporterCommand : public QObject {
    Q_OBJECT

private:
    static ExporterRequest requestFor(const QString& name) {
        ExporterRequest request;
        request.port = 0;
        request.targets.push_back({name, *profile::ConnectionProfile::fromUrl(QStringLiteral("redis://h"))});
        return request;
    }

    ExporterCommand::ReadAgain readAgain() {
        return [this]() -> Result<app::Arguments> {
            return m_isFileBroken ? Result<app::Arguments>(Error(ErrorCode::InvalidArgument, QString())) : m_again;
        };
    }

    app::Arguments m_again;
    bool m_isFileBroken = false;

private Q_SLOTS:
    void init() {
        m_again = {};
        m_isFileBroken = false;
    }

    void otherSettingsReplaceThoseBefore() {
        FakeEngine engine;
        ExporterCommand command(engine, requestFor(QStringLiteral("one")), readAgain());
        command.start();
        m_again.exporter = requestFor(QStringLiteral("two"));
        command.reload();
        QCOMPARE(engine.connects.size(), size_t{2});
        QCOMPARE(engine.closes.size(), size_t{1});
    }

    // As after SIGHUP with a file that has a mistake: the exporter goes on as before.
    void settingsThatCannotBeUsedChangeNothing() {
        FakeEngine engine;
        ExporterCommand command(engine, requestFor(QStringLiteral("one")), readAgain());
        QSignalSpy finished(&command, &ExporterCommand::finished);
        command.start();
        m_again.exporter = requestFor(QStringLiteral("two"));
        m_again.exporter.webConfig = QStringLiteral("/nowhere/web.yml");
        command.reload();
        m_again.exporter = requestFor(QStringLiteral("two"));
        m_again.exporter.address = QHostAddress(QStringLiteral("192.0.2.1"));  // of no machine
        m_again.exporter.port = 1;
        command.reload();
        m_isFileBroken = true;
        command.reload();
        QCOMPARE(engine.connects.size(), size_t{1});
        QVERIFY(engine.closes.empty() && engine.shutDowns.empty());
        QVERIFY(finished.isEmpty());
    }

    void endsWithTheEngine() {
        FakeEngine engine;
        ExporterCommand command(engine, requestFor(QStringLiteral("one")), readAgain());
        QSignalSpy finished(&command, &ExporterCommand::finished);
        command.start();
        command.finish(app::ExitCode::Done);
        QCOMPARE(engine.shutDowns.size(), size_t{1});
        engine.finishShutDown();
        QTRY_COMPARE(finished.count(), 1);
        QCOMPARE(finished.first().first().toInt(), 0);
    }
};

LOCKKEEPER_TEST(TestExporterCommand, Guiless)

}  // namespace tst_exportercommand

#include "tst_exportercommand.moc"
