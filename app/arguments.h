#pragma once

#include "base/ids.h"
#include "base/result.h"
#include "profile/connectionprofile.h"

#include <QStringList>

#include <optional>

namespace lockkeeper::app {

// What the command line asks for.
struct Arguments {
    enum class Face { Window, List, Watch, Lock };
    enum class Source { None, Url, Demo };

    Face face = Face::Window;
    Source source = Source::None;
    profile::ConnectionProfile profile;  // Source::Url; for the demo only its access counts
    bool json = false;
    std::optional<std::chrono::milliseconds> watchFor;

    // Lock: hold a lock while a command runs.
    enum class OnLost { Warn, Kill };
    enum class LockKind { Reentrant, Fair, Read, Write, Fenced, Spin };
    LockKind lockKind = LockKind::Reentrant;
    LockName lockName;
    std::optional<std::chrono::milliseconds> wait;   // nothing: for ever
    std::optional<std::chrono::milliseconds> lease;  // nothing: the watchdog
    OnLost onLost = OnLost::Warn;
    QStringList command;  // program and its arguments

    QString screenshotFile;  // Window: save a picture of it and end
    QString printInstead;    // --help, --version: this text and nothing else

    // `arguments` without the program's name; the password comes from the URL or, when that has none, from the environment.
    // InvalidArgument with a sentence for stderr.
    [[nodiscard]] static Result<Arguments> parse(const QStringList& arguments, const QByteArray& passwordFromEnvironment);
};

}  // namespace lockkeeper::app
