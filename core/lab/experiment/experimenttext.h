// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockkeeper_monitor_export.h"

#include <QList>
#include <QString>

#include <optional>

namespace lockkeeper::lab {

// The text of an experiment for people. Its paragraphs are Markdown.
struct ExperimentText {
    struct Prediction {
        QString text;
        bool isRight = false;
    };

    QString title;
    QString question;
    QList<Prediction> predictions;
    QString explanation;
    QString withoutCause;  // what is different with Trigger::Removed, and what happens in that case
    QString tryYourself;
};

// Reads the form of resources/lab/ID.md: the title as the first heading, the question, the predictions as a task list
// with the right one ticked, and the sections "Why", "Without what caused it" and "Now try yourself". There is one file
// for each experiment, so that a translation is a folder of such files. Nothing if a part is missing. A time of the run
// is in braces, without its unit: "{1.5} s". It is a time of the scenario, so it is multiplied when the scenario is
// stretched.
[[nodiscard]] LOCKKEEPER_MONITOR_EXPORT std::optional<ExperimentText> experimentTextFrom(const QString& markdown,
                                                                                         int stretch = 1);
// The text of the experiment in the program's resources.
[[nodiscard]] LOCKKEEPER_MONITOR_EXPORT std::optional<ExperimentText> experimentTextOf(const QByteArray& id,
                                                                                       int stretch = 1);

}  // namespace lockkeeper::lab
