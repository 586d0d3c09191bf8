// SPDX-License-Identifier: Apache-2.0
#include "app/gui/askpass.h"

#include "topology/ssh/askpassclient.h"

#include <QCoreApplication>

#include <cstdio>

namespace lockkeeper::app {

bool isAskpass(int argc) {
    return argc == 2 && topology::AskpassClient::isWanted();
}

int runAskpass(int argc, char* argv[]) {
    const QCoreApplication application(argc, argv);
    topology::AskpassClient client;
    QObject::connect(
        &client, &topology::AskpassClient::answered, &application,
        [](const QByteArray& answer) {
            std::fwrite(answer.constData(), 1, static_cast<size_t>(answer.size()), stdout);
            std::fputc('\n', stdout);
            QCoreApplication::exit(0);
        },
        Qt::QueuedConnection);
    QObject::connect(
        &client, &topology::AskpassClient::refused, &application, [] { QCoreApplication::exit(1); },
        Qt::QueuedConnection);
    client.ask(argv[1]);
    return QCoreApplication::exec();
}

}  // namespace lockkeeper::app
