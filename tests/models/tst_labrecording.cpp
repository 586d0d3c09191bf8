// SPDX-License-Identifier: Apache-2.0
#include "support/testprogram.h"
#include "ui/lab/labrecording.h"

#include <QTest>

namespace tst_labrecording {

using namespace lockkeeper;
using namespace lockkeeper::ui;

// What a lab page keeps of its session.
class TestLabRecording : public QObject {
    Q_OBJECT

private:
    static lab::WireLine lineAt(qsizetype frame, int server, const QByteArray& command) {
        lab::WireLine line;
        line.frame = frame;
        line.server = lab::ServerNumber(server);
        line.arguments = {command};
        return line;
    }
    static QByteArrayList commandsOf(const LabRecording& recording) {
        QByteArrayList commands;
        for (const lab::WireLine& line : recording.lines())
            commands += line.arguments.first();
        return commands;
    }

private Q_SLOTS:
    // The servers are read one after the other: the second one may report a command of an earlier frame later.
    void theLinesOfSeveralServersAreInTheOrderOfTheirFrames() {
        LabRecording recording;
        lab::LabUpdate update;
        update.lines = {lineAt(0, 0, "a"), lineAt(2, 0, "d"), lineAt(1, 1, "b")};
        recording.add(update);
        update.lines = {lineAt(1, 1, "c"), lineAt(2, 1, "e")};
        recording.add(update);
        QCOMPARE(commandsOf(recording), (QByteArrayList{"a", "b", "c", "d", "e"}));
    }

    // After a failover both servers may be masters.
    void aServerIsAMasterWhereThereWasAReplica() {
        LabRecording recording;
        lab::LabUpdate update;
        lab::LabFrame& first = update.frames.emplace_back();
        first.servers.resize(3);
        first.servers.at(2).number = lab::sentinelServer;
        update.frames.push_back(first);
        update.frames.front().servers.at(1).isReplica = true;
        recording.add(update);
        const auto rolesAt = [&recording](qsizetype frame) {
            std::vector<ServerRole> roles;
            for (const ShownServer& server : recording.serversAt(frame))
                roles.push_back(server.role);
            return roles;
        };
        QCOMPARE(rolesAt(0), (std::vector{ServerRole::Master, ServerRole::Replica, ServerRole::Alone}));
        QCOMPARE(rolesAt(1), (std::vector{ServerRole::Master, ServerRole::Master, ServerRole::Alone}));
        LabRecording independent;
        update.frames.erase(update.frames.begin());
        independent.add(update);
        QCOMPARE(independent.serversAt(0).front().role, ServerRole::Alone);
    }

    void whatIsNotKeptIsCounted() {
        LabRecording recording;
        lab::LabUpdate update;
        recording.add(update);
        QVERIFY(!recording.isFull());
        update.linesLeftOut = 3;
        update.isFull = true;
        recording.add(update);
        QVERIFY(recording.isFull());
        QCOMPARE(recording.linesLeftOut(), 3);
    }
};

LOCKKEEPER_TEST(TestLabRecording, Guiless)

}  // namespace tst_labrecording

#include "tst_labrecording.moc"
