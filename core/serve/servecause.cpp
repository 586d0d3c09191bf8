// SPDX-License-Identifier: Apache-2.0
#include "serve/servecause.h"

#include <QCoreApplication>

namespace lockkeeper::serve {

namespace {

const char* sentenceOf(ServeCause cause) {
    switch (cause) {
        case ServeCause::OptionsTooLarge:
            return QT_TRANSLATE_NOOP("CauseText", "the file is larger than %1 bytes");
        case ServeCause::OptionsNotUtf8:
            return QT_TRANSLATE_NOOP("CauseText", "line %1 is not UTF-8");
        case ServeCause::OptionNameInvalid:
            return QT_TRANSLATE_NOOP("CauseText",
                                     "line %1 has no option: '%2'; write 'option = value', or # in front of a comment");
        case ServeCause::OptionNotInFile:
            return QT_TRANSLATE_NOOP("CauseText", "line %1: '%2' cannot stand in a file of options");
        case ServeCause::WebhookInvalid:
            return QT_TRANSLATE_NOOP("CauseText", "the webhook is no URL such as https://host/path");
        case ServeCause::WebhookNotHttps:
            return QT_TRANSLATE_NOOP(
                "CauseText",
                "the webhook is not https: names of locks would be sent in plain text; --insecure allows it");
        case ServeCause::NoCertificateInFile:
            return QT_TRANSLATE_NOOP("CauseText", "%1 has no certificate in PEM");
        case ServeCause::Redirected:
            return QT_TRANSLATE_NOOP("CauseText",
                                     "the receiver answers with a redirect (HTTP %1), which is not followed: use the "
                                     "URL to which it leads");
        case ServeCause::HttpRefused:
            return QT_TRANSLATE_NOOP("CauseText", "the receiver answers with HTTP %1");
        case ServeCause::NotHttp:
            return QT_TRANSLATE_NOOP("CauseText", "the receiver's answer is not HTTP");
        case ServeCause::AnswerTooLarge:
            return QT_TRANSLATE_NOOP("CauseText", "the receiver's answer is larger than %1 bytes");
        case ServeCause::AnswerCutOff:
            return QT_TRANSLATE_NOOP("CauseText", "the receiver closed the connection before its answer was whole");
        case ServeCause::NotAccepted:
            return QT_TRANSLATE_NOOP("CauseText", "the receiver does not accept the message (its code: %1)");
        case ServeCause::CommandEmpty:
            return QT_TRANSLATE_NOOP("CauseText", "the command is empty, or a quote in it has no end");
        case ServeCause::CommandNotStarted:
            return QT_TRANSLATE_NOOP("CauseText", "cannot run %1: %2");
        case ServeCause::CommandFailed:
            return QT_TRANSLATE_NOOP("CauseText", "the command ended with exit code %1");
        case ServeCause::CommandCrashed:
            return QT_TRANSLATE_NOOP("CauseText", "the command was ended by a signal");
        case ServeCause::CommandNotInTime:
            return QT_TRANSLATE_NOOP("CauseText", "the command did not end within %1 s, and was killed");
        case ServeCause::TemplateNotJson:
            return QT_TRANSLATE_NOOP("CauseText", "the template is no JSON object: %1");
        case ServeCause::TemplatePlaceholder:
            return QT_TRANSLATE_NOOP("CauseText", "the template has an unknown placeholder: ${%1}");
        case ServeCause::TemplateTooLarge:
            return QT_TRANSLATE_NOOP("CauseText", "the template is larger than %1 bytes");
        case ServeCause::StateInUse:
            return QT_TRANSLATE_NOOP("CauseText",
                                     "another notifier uses the folder %1: give each one its own by --state");
        case ServeCause::StateNotRead:
            return QT_TRANSLATE_NOOP("CauseText", "%1 is damaged, and was set aside");
        case ServeCause::MessageTooOld:
            return QT_TRANSLATE_NOOP("CauseText", "the message could not be delivered for %1 hours");
        case ServeCause::QueueFull:
            return QT_TRANSLATE_NOOP("CauseText", "more than %1 messages wait for the receiver");
    }
    return "";
}

}  // namespace

const CauseTable& causeTable(ServeCause) {
    static constexpr CauseTable table{[](int cause, qsizetype) { return sentenceOf(static_cast<ServeCause>(cause)); }};
    return table;
}

}  // namespace lockkeeper::serve
