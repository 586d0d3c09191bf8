// SPDX-License-Identifier: Apache-2.0
#include "ui/words/environmenttext.h"

#include <QCoreApplication>
#include <QStringList>

namespace lockkeeper::ui {

namespace {

struct ConnectionWords {
    Q_DECLARE_TR_FUNCTIONS(ConnectionWords)
};

}  // namespace

QString environmentText(profile::Environment environment) {
    switch (environment) {
        case profile::Environment::None:
            return {};
        case profile::Environment::Development:
            return ConnectionWords::tr("Development");
        case profile::Environment::Staging:
            return ConnectionWords::tr("Staging");
        case profile::Environment::Production:
            return ConnectionWords::tr("Production");
    }
    return {};
}

QString colorText(profile::LabelColor color) {
    switch (color) {
        case profile::LabelColor::OfEnvironment:
            return ConnectionWords::tr("That of the environment");
        case profile::LabelColor::Grey:
            return ConnectionWords::tr("Grey");
        case profile::LabelColor::Green:
            return ConnectionWords::tr("Green");
        case profile::LabelColor::Teal:
            return ConnectionWords::tr("Teal");
        case profile::LabelColor::Blue:
            return ConnectionWords::tr("Blue");
        case profile::LabelColor::Purple:
            return ConnectionWords::tr("Purple");
        case profile::LabelColor::Orange:
            return ConnectionWords::tr("Orange");
        case profile::LabelColor::Red:
            return ConnectionWords::tr("Red");
    }
    return {};
}

QString connectionName(const profile::ProfileLabel& label, const QString& server) {
    return label.name.isEmpty() ? server : label.name;
}

QString connectionText(const profile::ProfileLabel& label, const QString& server) {
    QStringList parts{environmentText(label.environment), label.name, server};
    parts.removeAll(QString());
    return parts.join(QStringLiteral(" · "));
}

}  // namespace lockkeeper::ui
