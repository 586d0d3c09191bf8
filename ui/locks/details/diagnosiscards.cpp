// SPDX-License-Identifier: Apache-2.0
#include "ui/locks/details/diagnosiscards.h"

#include "ui/base/helptip.h"
#include "ui/base/iconlabel.h"
#include "ui/base/icons.h"
#include "ui/base/plainlabel.h"
#include "ui/base/wrappedtext.h"
#include "ui/help/helptexts.h"
#include "ui/words/diagnosistext.h"
#include "ui/words/locktext.h"

#include <QFrame>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

#include <algorithm>

namespace lockkeeper::ui {

namespace {

constexpr int longestCard = 12;  // lines

QString issueLinks(const QList<int>& issues) {
    QStringList links;
    for (const int issue : issues)
        links << QStringLiteral("<a href=\"https://github.com/redisson/redisson/issues/%1\">#%1</a>").arg(issue);
    return DiagnosisCards::tr("Known issue of Redisson: %1").arg(listText(links));
}

QLabel* titleLabel(QWidget* parent) {
    QLabel* label = plainLabel(parent);
    label->setObjectName(QStringLiteral("diagnosisTitle"));
    label->setWordWrap(true);
    QFont font = label->font();
    font.setBold(true);
    label->setFont(font);
    return label;
}

QLabel* issuesLabel(monitor::DiagnosisKind kind, QWidget* parent) {
    QLabel* label = linksLabel(issueLinks(monitor::issuesOf(kind)), parent);
    label->setObjectName(QStringLiteral("diagnosisIssues"));
    label->setWordWrap(true);
    return label;
}

}  // namespace

DiagnosisCards::DiagnosisCards(QWidget* parent) : QWidget(parent), m_layout(new QVBoxLayout(this)) {
    setObjectName(QStringLiteral("diagnosisCards"));
    m_layout->setContentsMargins(0, 6, 0, 0);
    m_layout->setSpacing(6);
    hide();
}

void DiagnosisCards::setDiagnoses(const QList<monitor::Diagnosis>& diagnoses, const monitor::LockRow* about,
                                  WallTime now, const HolderAliases& aliases) {
    std::vector<Card> cards = cardsFor(diagnoses, about);
    if (cards == m_shown && aliases == m_aliases)
        return;
    const bool saysTheSame =
        aliases == m_aliases && std::ranges::equal(cards, m_shown, [](const Card& one, const Card& other) {
            return one.diagnosis == other.diagnosis && one.remedy == other.remedy;
        });
    m_shown = std::move(cards);
    m_aliases = aliases;
    // New cards would have other heights until they are laid out, and would move what is read below them.
    if (!saysTheSame)
        return rebuild(now);
    for (size_t i = 0; i < m_shown.size(); ++i)
        showEnd(*m_layout->itemAt(static_cast<int>(i))->widget(), m_shown[i]);
}

void DiagnosisCards::rebuild(WallTime now) {
    while (QLayoutItem* item = m_layout->takeAt(0)) {
        delete item->widget();
        delete item;
    }
    for (const Card& card : m_shown)
        m_layout->addWidget(makeCard(card, now));
    setVisible(!m_shown.empty());
}

void DiagnosisCards::forget() {
    m_shown.clear();
    rebuild(WallTime());
}

// Cards that are shown keep their order; a new one comes before those that are less urgent, or have ended.
std::vector<DiagnosisCards::Card> DiagnosisCards::cardsFor(const QList<monitor::Diagnosis>& diagnoses,
                                                           const monitor::LockRow* about) const {
    const auto remedyOf = [about](const monitor::Diagnosis& diagnosis) {
        return about ? remedyFor(diagnosis.kind(), *about) : std::nullopt;
    };
    QList<monitor::Diagnosis> rest = diagnoses;
    std::vector<Card> cards = m_shown;
    for (Card& card : cards) {
        const auto found = std::ranges::find(rest, card.diagnosis.kind(), &monitor::Diagnosis::kind);
        card.hasEnded = found == rest.end();
        if (card.hasEnded)
            continue;
        card.diagnosis = *found;
        card.remedy = remedyOf(*found);
        rest.erase(found);
    }
    for (const monitor::Diagnosis& diagnosis : std::as_const(rest)) {
        const auto place = std::ranges::find_if(
            cards, [&](const Card& card) { return card.hasEnded || card.diagnosis.kind() > diagnosis.kind(); });
        cards.insert(place, {diagnosis, remedyOf(diagnosis)});
    }
    return cards;
}

void DiagnosisCards::showEnd(QWidget& card, const Card& shown) {
    const monitor::Diagnosis& diagnosis = shown.diagnosis;
    const monitor::Severity severity = monitor::severityOf(diagnosis.kind());
    const QString name =
        shown.hasEnded ? tr("%1 (no longer)").arg(diagnosisTitle(diagnosis.kind())) : diagnosisText(diagnosis);
    card.setEnabled(!shown.hasEnded);
    card.setAccessibleName(name);
    card.findChild<QLabel*>(QStringLiteral("diagnosisTitle"))->setText(name);
    card.findChild<IconLabel*>()->setIcon(
        icon(diagnosisIcon(severity), shown.hasEnded ? Tone::Quiet : diagnosisTone(severity)));
}

QWidget* DiagnosisCards::makeCard(const Card& shown, WallTime now) {
    const monitor::Diagnosis& diagnosis = shown.diagnosis;
    auto* card = new QFrame(this);
    card->setFrameShape(QFrame::StyledPanel);
    card->setWhatsThis(helpTip(diagnosisHelp(diagnosis.kind())));
    auto* layout = new QVBoxLayout(card);
    layout->setContentsMargins(8, 6, 8, 6);
    layout->setSpacing(4);
    auto* mark = new IconLabel(16, card);
    auto* title = new QHBoxLayout;
    title->addWidget(mark, 0, Qt::AlignTop);
    title->addWidget(titleLabel(card), 1);
    layout->addLayout(title);
    addText(*layout, "diagnosisEvidence", evidenceText(diagnosis.evidence, now, m_aliases));
    addText(*layout, "diagnosisAdvice",
            shown.remedy ? remedyAdvice(*shown.remedy, diagnosis.kind()) : adviceText(diagnosis.kind()));
    if (shown.remedy)
        layout->addWidget(makeRemedy(*shown.remedy, card), 0, Qt::AlignLeft);
    if (!monitor::issuesOf(diagnosis.kind()).isEmpty())
        layout->addWidget(issuesLabel(diagnosis.kind(), card));
    showEnd(*card, shown);
    return card;
}

QWidget* DiagnosisCards::makeRemedy(Remedy remedy, QWidget* card) {
    auto* button = new QPushButton(remedyText(remedy), card);
    button->setObjectName(QStringLiteral("diagnosisRemedy"));
    connect(button, &QPushButton::clicked, this, [this, remedy] { Q_EMIT remedyWanted(remedy); });
    return button;
}

void DiagnosisCards::addText(QVBoxLayout& layout, const char* objectName, const QString& text) {
    auto* label = new WrappedText(longestCard, layout.parentWidget());
    label->setObjectName(QLatin1String(objectName));
    label->setText(text);
    layout.addWidget(label);
}

}  // namespace lockkeeper::ui

#include "moc_diagnosiscards.cpp"
