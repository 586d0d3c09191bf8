#pragma once

#include "engine/engine.h"

#include <QObject>

class QMainWindow;
class QSettings;

namespace lockkeeper::ui {

class EventLogModel;
class ExportDesk;
class HolderDesk;
class LockTableModel;
class LocksPage;
class LookupDesk;
class MessageBar;
class NoticeDesk;
class RetentionDesk;
class ViewTime;
class WindowActions;
class WindowDocks;

// What the tools of a window work with. All of it outlives them.
struct ToolContext {
    Engine& engine;
    Clock& clock;
    QSettings& settings;
    const LockTableModel& locks;
    const EventLogModel& log;
    const ViewTime& time;
    LocksPage& page;
    WindowDocks& docks;
    MessageBar& messages;
    const HolderDesk& holders;
    const WindowActions& actions;
};

// What the menu "Tools" offers, each with a desk of its own. Made when the window already follows the engine: what the
// desks hear is on the screen then.
class WindowTools final : public QObject {
    Q_OBJECT
public:
    WindowTools(const ToolContext& context, QMainWindow& window);

private:
    void followActions(const ToolContext& context);
    void setStatus(const ConnectionStatus& status);
    void learn(const HolderDesk& holders);

    LookupDesk* m_lookup;
    ExportDesk* m_export;
    RetentionDesk* m_retention;
    NoticeDesk* m_notices;
};

}  // namespace lockkeeper::ui
