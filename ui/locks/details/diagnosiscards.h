// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "monitor/model/diagnosis.h"
#include "ui/words/holderaliases.h"

#include <QWidget>

#include <vector>

class QVBoxLayout;

namespace lockkeeper::ui {

// What may be wrong with a lock, a card each: how certain it is, what was seen, what to do, and known issues. A card
// whose diagnosis has ended stays, dimmed, so that nothing below it moves.
class DiagnosisCards final : public QWidget {
    Q_OBJECT
public:
    explicit DiagnosisCards(QWidget* parent = nullptr);

    // Keeps a reader's selection and focus while nothing changes.
    void setDiagnoses(const QList<monitor::Diagnosis>& diagnoses, WallTime now, const HolderAliases& aliases);

    // For another lock, or another language: the next setDiagnoses() begins without cards.
    void forget();

private:
    struct Card {
        monitor::Diagnosis diagnosis;
        bool hasEnded = false;

        friend bool operator==(const Card&, const Card&) = default;
    };

    [[nodiscard]] std::vector<Card> cardsFor(const QList<monitor::Diagnosis>& diagnoses) const;
    void rebuild(WallTime now);
    static void showEnd(QWidget& card, const Card& shown);
    [[nodiscard]] QWidget* makeCard(const Card& shown, WallTime now);
    void addText(QVBoxLayout& layout, const char* objectName, const QString& text);

    std::vector<Card> m_shown;
    HolderAliases m_aliases;
    QVBoxLayout* m_layout;
};

}  // namespace lockkeeper::ui
