#pragma once

#include "monitor/model/diagnosis.h"
#include "ui/words/holderaliases.h"

#include <QWidget>

class QVBoxLayout;

namespace lockkeeper::ui {

// What may be wrong with a lock, a card each: how certain it is, what was seen, what to do, and known issues.
class DiagnosisCards final : public QWidget {
    Q_OBJECT
public:
    explicit DiagnosisCards(QWidget* parent = nullptr);

    // Keeps a reader's selection and focus while nothing changes.
    void setDiagnoses(const QList<monitor::Diagnosis>& diagnoses, WallTime now, const HolderAliases& aliases);

    // The next setDiagnoses() writes all texts again, in the present language.
    void forget();

private:
    [[nodiscard]] QWidget* makeCard(const monitor::Diagnosis& diagnosis, WallTime now);
    void addText(QVBoxLayout& layout, const char* objectName, const QString& text);

    QList<monitor::Diagnosis> m_shown;
    HolderAliases m_aliases;
    QVBoxLayout* m_layout;
};

}  // namespace lockkeeper::ui
