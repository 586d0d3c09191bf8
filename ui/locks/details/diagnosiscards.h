// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/locks/details/remedy.h"
#include "ui/words/holderaliases.h"

#include <QWidget>

#include <vector>

class QVBoxLayout;

namespace lockkeeper::ui {

// What may be wrong with a lock, a card each: how certain it is, what was seen, what to do, and known issues. A card
// whose diagnosis has ended stays, dimmed, so that nothing below it moves. One button offers the remedy.
class DiagnosisCards final : public QWidget {
    Q_OBJECT
public:
    explicit DiagnosisCards(QWidget* parent = nullptr);

    // about: the lock as it is now, whose remedies are offered; null: none is. Keeps a reader's selection and focus
    // while nothing changes.
    void setDiagnoses(const QList<monitor::Diagnosis>& diagnoses, const monitor::LockRow* about, WallTime now,
                      const HolderAliases& aliases);

    // For another lock, or another language: the next setDiagnoses() begins without cards.
    void forget();

Q_SIGNALS:
    // The reader wants to do this about the lock.
    void remedyWanted(lockkeeper::ui::Remedy remedy);

private:
    struct Card {
        monitor::Diagnosis diagnosis;
        std::optional<Remedy> remedy;
        bool hasEnded = false;

        friend bool operator==(const Card&, const Card&) = default;
    };

    [[nodiscard]] std::vector<Card> cardsFor(const QList<monitor::Diagnosis>& diagnoses,
                                             const monitor::LockRow* about) const;
    void rebuild(WallTime now);
    static void showEnd(QWidget& card, const Card& shown);
    [[nodiscard]] QWidget* makeCard(const Card& shown, WallTime now);
    [[nodiscard]] QWidget* makeRemedy(Remedy remedy, QWidget* card);
    void addText(QVBoxLayout& layout, const char* objectName, const QString& text);

    std::vector<Card> m_shown;
    HolderAliases m_aliases;
    QVBoxLayout* m_layout;
};

}  // namespace lockkeeper::ui
