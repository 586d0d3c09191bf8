#pragma once

#include "monitor/analyse/who/holderidentity.h"

#include <QDialog>

namespace lockkeeper::ui {

// Whose client it is, for words: alias and UUID, and whether its lock was seen to be renewed.
struct IdentifyQuestion {
    enum class Renewal { Seen, NotSeen };

    monitor::HolderSearch search;
    QString client;
    Renewal renewal = Renewal::NotSeen;
};

// Says what a MONITOR does and costs before one runs.
class IdentifyDialog final : public QDialog {
    Q_OBJECT
public:
    explicit IdentifyDialog(const IdentifyQuestion& question, QWidget* parent = nullptr);
};

}  // namespace lockkeeper::ui
