#pragma once

#include "monitor/model/diagnosis.h"
#include "ui/words/holderaliases.h"

#include <QWidget>

class QVBoxLayout;

namespace lockkeeper::ui {

// What may be wrong with a lock, a card each: how sure it is, what was seen, what to do, and where it was met before.
class DiagnosisCards final : public QWidget {
    Q_OBJECT
public:
    explicit DiagnosisCards(QWidget* parent = nullptr);

    // Leaves a reader's selection and focus alone while nothing changes.
    void setDiagnoses(const QList<monitor::Diagnosis>& diagnoses, WallTime now, const HolderAliases& aliases);

private:
    [[nodiscard]] QWidget* makeCard(const monitor::Diagnosis& diagnosis, WallTime now);
    void addText(QVBoxLayout& layout, const char* objectName, const QString& text);

    QList<monitor::Diagnosis> m_shown;
    HolderAliases m_aliases;
    QVBoxLayout* m_layout;
};

}  // namespace lockkeeper::ui
