// SPDX-License-Identifier: Apache-2.0
#include "ui/lab/lessonpanel.h"

#include "ui/base/plainlabel.h"
#include "ui/base/retranslating.h"
#include "ui/lab/labwords.h"
#include "ui/words/locktext.h"

#include <QButtonGroup>
#include <QLabel>
#include <QPushButton>
#include <QRadioButton>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace lockkeeper::ui {

namespace {

// A radio button's text does not wrap, so the button stands beside a label.
QLabel* predictionLabel(const QString& text, QRadioButton* button, QWidget* parent) {
    QLabel* label = plainLabel(text, parent);
    label->setWordWrap(true);
    label->setBuddy(button);
    return label;
}

}  // namespace

LessonPanel::LessonPanel(QWidget* parent) : QScrollArea(parent) {
    setObjectName(QStringLiteral("labLesson"));
    setWidgetResizable(true);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    auto* content = new QWidget(this);
    m_layout = new QVBoxLayout(content);
    m_question = addLabel("labQuestion");
    m_choices = new QVBoxLayout;
    m_layout->addLayout(m_choices);
    m_verdict = addLabel("labVerdict");
    m_why = addLabel("labWhy");
    m_moment = new QPushButton(content);
    m_moment->setObjectName(QStringLiteral("labMoment"));
    m_layout->addWidget(m_moment);
    m_next = addLabel("labNext");
    m_layout->addStretch(1);
    setWidget(content);
    connect(m_moment, &QPushButton::clicked, this, &LessonPanel::momentWanted);
    keepTranslated(*this, [this] { retranslate(); });
}

QLabel* LessonPanel::addLabel(const char* objectName) {
    QLabel* label = plainLabel(this);
    label->setObjectName(QString::fromLatin1(objectName));
    label->setWordWrap(true);
    label->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_layout->addWidget(label);
    return label;
}

void LessonPanel::retranslate() {
    setAccessibleName(tr("Question and explanation"));
    m_moment->setText(tr("Show the &moment"));
    showAnswer();
}

void LessonPanel::ask(const QByteArray& experiment, int stretch) {
    m_explained.reset();
    const bool isSame = experiment == std::exchange(m_experiment, experiment);
    if (stretch != std::exchange(m_stretch, stretch) || !isSame) {
        const int chosen = isSame ? m_predictions->checkedId() : -1;
        m_text = lab::experimentTextOf(experiment, stretch).value_or(lab::ExperimentText());
        m_question->setText(plainParagraph(m_text.question));
        addPredictions();
        if (QAbstractButton* button = m_predictions->button(chosen))
            button->setChecked(true);
    }
    showAnswer();
    ensureVisible(0, 0);
    reportAsking();
}

void LessonPanel::addPredictions() {
    while (QLayoutItem* item = m_choices->takeAt(0)) {
        delete item->widget();
        delete item;
    }
    delete m_predictions;
    m_predictions = new QButtonGroup(this);
    connect(m_predictions, &QButtonGroup::idToggled, this, &LessonPanel::reportAsking);
    QWidget* before = this;  // in the order of the keyboard
    for (const lab::ExperimentText::Prediction& prediction : std::as_const(m_text.predictions)) {
        const int number = static_cast<int>(m_predictions->buttons().size());
        const QString text = plainParagraph(prediction.text);
        auto* row = new QWidget(widget());
        auto* button = new QRadioButton(row);
        button->setObjectName(QStringLiteral("labPrediction%1").arg(number));
        button->setAccessibleName(text);
        m_predictions->addButton(button, number);
        auto* layout = new QHBoxLayout(row);
        layout->setContentsMargins(0, 0, 0, 0);
        layout->addWidget(button, 0, Qt::AlignTop);
        layout->addWidget(predictionLabel(text, button, row), 1);
        m_choices->addWidget(row);
        setTabOrder(std::exchange(before, button), button);
    }
    setTabOrder(before, m_moment);
}

void LessonPanel::explain(lab::Trigger trigger, lab::Verdict verdict) {
    m_explained = Explained{trigger, verdict};
    showAnswer();
    reportAsking();
}

void LessonPanel::reportAsking() {
    const bool hasPredictions = m_predictions && !m_predictions->buttons().isEmpty();
    Q_EMIT asking(hasPredictions && m_predictions->checkedId() < 0 && !m_explained);
}

void LessonPanel::showAnswer() {
    const bool isAnswered = m_explained.has_value();
    const bool isJudged = isAnswered && m_explained->verdict != lab::Verdict::ChangedByHand;
    m_verdict->setVisible(isAnswered);
    for (QWidget* part : std::initializer_list<QWidget*>{m_why, m_moment, m_next})
        part->setVisible(isJudged);
    if (!isAnswered)
        return;
    const bool hasCause = m_explained->trigger == lab::Trigger::Present;
    m_verdict->setText(verdict());
    m_why->setText(plainParagraph(hasCause ? m_text.explanation : m_text.withoutCause));
    m_next->setText(tr("Now try yourself: %1").arg(plainParagraph(m_text.tryYourself)));
}

QString LessonPanel::verdict() const {
    if (m_explained->verdict == lab::Verdict::ChangedByHand)
        return tr(
            "This run was changed by hand, so it does not answer the question. Run it again without a change to see the answer.");
    const bool isAsExpected = m_explained->verdict == lab::Verdict::AsExpected;
    if (m_explained->trigger == lab::Trigger::Removed)
        return isAsExpected ? tr("It has ended in the same way without its cause.")
                            : tr("Without what caused it, it has ended differently.");
    if (!isAsExpected)
        return tr("This time it has ended in another way than usual: this computer may be busy. Run it again.");
    const auto right = std::ranges::find_if(m_text.predictions, &lab::ExperimentText::Prediction::isRight);
    const auto number = static_cast<int>(right - m_text.predictions.begin());
    if (m_predictions && m_predictions->checkedId() == number)
        return tr("Your prediction was right.");
    const QString answer = right == m_text.predictions.end() ? QString() : plainParagraph(right->text);
    return m_predictions && m_predictions->checkedId() >= 0 ? tr("Your prediction was wrong. Right is: %1").arg(answer)
                                                            : tr("Right is: %1").arg(answer);
}

}  // namespace lockkeeper::ui

#include "moc_lessonpanel.cpp"
