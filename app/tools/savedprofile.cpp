// SPDX-License-Identifier: Apache-2.0
#include "app/tools/savedprofile.h"

#include "app/cli/commandline.h"
#include "profile/savedsecrets.h"
#include "ui/words/causetext.h"

#include <QCoreApplication>
#include <QStandardPaths>
#include <QTimer>

namespace lockkeeper::app {

namespace {

using namespace std::chrono_literals;

// A keychain that is locked asks the user, who may not be there.
constexpr auto keychainPatience = 30s;

Error notUsable(const QString& why) {
    return Error(ErrorCode::InvalidArgument, why);
}

}  // namespace

QString profilesPath() {
    return QStandardPaths::writableLocation(QStandardPaths::AppConfigLocation) + QStringLiteral("/profiles.json");
}

Result<profile::StoredProfile> savedProfile(profile::ProfileStore& profiles, const QString& name) {
    const Result<QList<profile::StoredProfile>> all = profiles.load();
    if (!all)
        return notUsable(ui::reasonText(all.error()));
    QStringList names;
    for (const profile::StoredProfile& stored : *all) {
        if (stored.isSaved() && stored.label.name == name)
            return stored;
        if (stored.isSaved())
            names << QStringLiteral("'%1'").arg(stored.label.name);
    }
    if (names.isEmpty())
        return notUsable(CommandLine::tr("there is no saved connection '%1': save it in the window first").arg(name));
    return notUsable(
        CommandLine::tr("there is no saved connection '%1', but %2").arg(name, names.join(QLatin1String(", "))));
}

Arguments withKeychain(Arguments arguments) {
    if (!arguments.saved || arguments.saved->secrets == profile::StoredProfile::Secrets::AskedEachTime)
        return arguments;
    struct Reading {
        profile::ConnectionProfile profile;
        bool isComplete = false;
        bool isOver = false;
    };
    const auto reading = std::make_shared<Reading>(Reading{arguments.profile});
    // A keychain that is unlocked too late still answers, so its job must still exist.
    auto* secrets = new profile::SecretStore(QStringLiteral("lockkeeper"), QCoreApplication::instance());
    profile::withSecrets(*secrets, arguments.profile)
        .then([reading](const Result<profile::ConnectionProfile>& profile) {
            if (reading->isOver)
                return;
            reading->profile = *profile;
            reading->isComplete = true;
            QCoreApplication::exit();
        });
    QTimer limit;
    limit.setSingleShot(true);
    QObject::connect(&limit, &QTimer::timeout, [] { QCoreApplication::exit(); });
    limit.start(keychainPatience);
    if (!reading->isComplete)
        QCoreApplication::exec();
    reading->isOver = true;
    arguments.profile = reading->profile;
    return arguments;
}

}  // namespace lockkeeper::app
