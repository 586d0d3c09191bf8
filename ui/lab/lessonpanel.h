// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lab/experiment/experimenttext.h"
#include "lab/experiment/outcome.h"
#include "lab/experiment/scenario.h"

#include <QScrollArea>

#include <optional>

class QButtonGroup;
class QLabel;
class QPushButton;
class QVBoxLayout;

namespace lockkeeper::ui {

// The question of an experiment with the predictions to choose from; after the run whether the prediction was right,
// the explanation, and what to try next.
class LessonPanel final : public QScrollArea {
    Q_OBJECT
public:
    explicit LessonPanel(QWidget* parent = nullptr);

    // Asks the question before a run. The prediction stays if the experiment is the same. stretch: of the times in
    // its texts.
    void ask(const QByteArray& experiment, int stretch);
    // Explains the experiment after a run. verdict: shown beside what the experiment expects with its cause.
    void explain(lab::Trigger trigger, lab::Verdict verdict);

Q_SIGNALS:
    // Whether the question is open: no prediction is chosen, and nothing is explained.
    void asking(bool isOpen);
    // The moment that the explanation is about is to be shown.
    void momentWanted();

private:
    struct Explained {
        lab::Trigger trigger = lab::Trigger::Present;
        lab::Verdict verdict = lab::Verdict::AsExpected;
    };

    void retranslate();
    void addPredictions();
    void showAnswer();
    void reportAsking();
    [[nodiscard]] QString verdict() const;
    [[nodiscard]] QLabel* addLabel(const char* objectName);

    QByteArray m_experiment;
    int m_stretch = 0;
    lab::ExperimentText m_text;
    std::optional<Explained> m_explained;
    QVBoxLayout* m_layout = nullptr;
    QVBoxLayout* m_choices = nullptr;
    QLabel* m_question = nullptr;
    QLabel* m_verdict = nullptr;
    QLabel* m_why = nullptr;
    QPushButton* m_moment = nullptr;
    QLabel* m_next = nullptr;
    QButtonGroup* m_predictions = nullptr;
};

}  // namespace lockkeeper::ui
