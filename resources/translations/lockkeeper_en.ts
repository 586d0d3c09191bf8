<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="en" sourcelanguage="en">
<context>
    <name>AuditText</name>
    <message numerus="yes">
        <source>%Ln line(s); the chain holds. The last hash is %1.</source>
        <translation>
            <numerusform>%Ln line; the chain holds. The last hash is %1.</numerusform>
            <numerusform>%Ln lines; the chain holds. The last hash is %1.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>and %Ln more</source>
        <translation>
            <numerusform>and %Ln more</numerusform>
            <numerusform>and %Ln more</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>CommandLine</name>
    <message numerus="yes">
        <source>%Ln client(s) more hold locks or wait for them than can be watched at once; they are not listed</source>
        <translation>
            <numerusform>%Ln client more holds locks or waits for them than can be watched at once; it is not listed</numerusform>
            <numerusform>%Ln clients more hold locks or wait for them than can be watched at once; they are not listed</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>only the first %1 locks of the text were read; those of %Ln further error(s) were not</source>
        <translation>
            <numerusform>only the first %1 locks of the text were read; that of %Ln further error was not</numerusform>
            <numerusform>only the first %1 locks of the text were read; those of %Ln further errors were not</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>(%Ln earlier message(s) could not be delivered)</source>
        <translation>
            <numerusform>(%Ln earlier message could not be delivered)</numerusform>
            <numerusform>(%Ln earlier messages could not be delivered)</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>and %Ln more</source>
        <translation>
            <numerusform>and %Ln more</numerusform>
            <numerusform>and %Ln more</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>DetailTexts</name>
    <message numerus="yes">
        <source>and %Ln more</source>
        <translation>
            <numerusform>and %Ln more</numerusform>
            <numerusform>and %Ln more</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln renewal(s), the last %1 ago</source>
        <translation>
            <numerusform>%Ln renewal, the last %1 ago</numerusform>
            <numerusform>%Ln renewals, the last %1 ago</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln queued; a release wakes the head of the queue</source>
        <translation>
            <numerusform>%Ln queued; a release wakes the head of the queue</numerusform>
            <numerusform>%Ln queued; a release wakes the head of the queue</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Up to %Ln client instance(s); other monitors that are connected may be among them</source>
        <translation>
            <numerusform>Up to %Ln client instance; it may be another monitor that is connected</numerusform>
            <numerusform>Up to %Ln client instances; other monitors that are connected may be among them</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln client instance(s); each may stand for several threads</source>
        <translation>
            <numerusform>%Ln client instance; it may stand for several threads</numerusform>
            <numerusform>%Ln client instances; each may stand for several threads</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln readers, too many to read them all</source>
        <translation>
            <numerusform>%Ln reader, too many to read them all</numerusform>
            <numerusform>%Ln readers, too many to read them all</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln queued; the head of the queue is dead, so a release wakes nobody</source>
        <translation>
            <numerusform>%Ln queued; the head of the queue is dead, so a release wakes nobody</numerusform>
            <numerusform>%Ln queued; the head of the queue is dead, so a release wakes nobody</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>DiagnosisText</name>
    <message numerus="yes">
        <source>%1 had it for %2. At %3 its TTL was cut to %4, and it was renewed to that %Ln time(s) since, the last time at %5.</source>
        <translation>
            <numerusform>%1 had it for %2. At %3 its TTL was cut to %4, and it was renewed to that %Ln time since, the last time at %5.</numerusform>
            <numerusform>%1 had it for %2. At %3 its TTL was cut to %4, and it was renewed to that %Ln times since, the last time at %5.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 has released it about a second after it had acquired it, and acquired it again: %Ln time(s), the last time at %2.</source>
        <translation>
            <numerusform>%1 has released it about a second after it had acquired it, and acquired it again: %Ln time, the last time at %2.</numerusform>
            <numerusform>%1 has released it about a second after it had acquired it, and acquired it again: %Ln times, the last time at %2.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Renewed %Ln time(s) to %1, the last time at %2; the next renewal was due after a third of that. Unless it is renewed, it expires at %3.</source>
        <translation>
            <numerusform>Renewed %Ln time to %1, the last time at %2; the next renewal was due after a third of that. Unless it is renewed, it expires at %3.</numerusform>
            <numerusform>Renewed %Ln times to %1, the last time at %2; the next renewal was due after a third of that. Unless it is renewed, it expires at %3.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Held since %1 or longer, and renewed %Ln time(s).</source>
        <translation>
            <numerusform>Held since %1 or longer, and renewed %Ln time.</numerusform>
            <numerusform>Held since %1 or longer, and renewed %Ln times.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Half of the last %Ln hold(s) took less than %1.</source>
        <translation>
            <numerusform>Half of the last %Ln hold took less than %1.</numerusform>
            <numerusform>Half of the last %Ln holds took less than %1.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>The reentry count is %1. Since %2 it went up %Ln time(s), and never down.</source>
        <translation>
            <numerusform>The reentry count is %1. Since %2 it went up %Ln time, and never down.</numerusform>
            <numerusform>The reentry count is %1. Since %2 it went up %Ln times, and never down.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln more</source>
        <comment>locks</comment>
        <translation>
            <numerusform>%Ln more</numerusform>
            <numerusform>%Ln more</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 has renewed none of its %Ln lock(s) since %2.</source>
        <translation>
            <numerusform>%1 has not renewed its %Ln lock since %2.</numerusform>
            <numerusform>%1 has renewed none of its %Ln locks since %2.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>EventText</name>
    <message numerus="yes">
        <source>node %1 has no data any more: %Ln lock(s) ended</source>
        <translation>
            <numerusform>node %1 has no data any more: %Ln lock ended</numerusform>
            <numerusform>node %1 has no data any more: %Ln locks ended</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>the server has no data any more: %Ln lock(s) ended</source>
        <translation>
            <numerusform>the server has no data any more: %Ln lock ended</numerusform>
            <numerusform>the server has no data any more: %Ln locks ended</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ExplainText</name>
    <message numerus="yes">
        <source>%1 is free, and %Ln are in its queue.</source>
        <translation>
            <numerusform>%1 is free, and %Ln is in its queue.</numerusform>
            <numerusform>%1 is free, and %Ln are in its queue.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Its client holds %Ln lock(s): %1.</source>
        <translation>
            <numerusform>Its client holds %Ln lock: %1.</numerusform>
            <numerusform>Its client holds %Ln locks: %1.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 (%Ln times)</source>
        <translation>
            <numerusform>%1 (%Ln time)</numerusform>
            <numerusform>%1 (%Ln times)</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>No error about a lock of Redisson was found. Searched: %Ln line(s), for the words of %1 kinds of errors, which the manual lists (&quot;Errors explained&quot;).</source>
        <translation>
            <numerusform>No error about a lock of Redisson was found. Searched: %Ln line, for the words of %1 kinds of errors, which the manual lists (&quot;Errors explained&quot;).</numerusform>
            <numerusform>No error about a lock of Redisson was found. Searched: %Ln lines, for the words of %1 kinds of errors, which the manual lists (&quot;Errors explained&quot;).</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Further errors, about other locks or holders, that are left out: %Ln.</source>
        <translation>
            <numerusform>Further errors, about other locks or holders, that are left out: %Ln.</numerusform>
            <numerusform>Further errors, about other locks or holders, that are left out: %Ln.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Lines so long that they were read in pieces: %Ln.</source>
        <translation>
            <numerusform>Lines so long that they were read in pieces: %Ln.</numerusform>
            <numerusform>Lines so long that they were read in pieces: %Ln.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Words of errors that were not examined, because too many stand together: %Ln.</source>
        <translation>
            <numerusform>Words of errors that were not examined, because too many stand together: %Ln.</numerusform>
            <numerusform>Words of errors that were not examined, because too many stand together: %Ln.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 and %Ln more</source>
        <comment>names of locks</comment>
        <translation>
            <numerusform>%1 and %Ln more</numerusform>
            <numerusform>%1 and %Ln more</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ForceFacts</name>
    <message numerus="yes">
        <source>and by %Ln more</source>
        <translation>
            <numerusform>and by %Ln more</numerusform>
            <numerusform>and by %Ln more</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Waiting: up to %Ln client instance(s), which will be woken</source>
        <translation>
            <numerusform>Waiting: up to %Ln client instance, which will be woken</numerusform>
            <numerusform>Waiting: up to %Ln client instances, which will be woken</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Waiting: %Ln client instance(s), which will be woken</source>
        <translation>
            <numerusform>Waiting: %Ln client instance, which will be woken</numerusform>
            <numerusform>Waiting: %Ln client instances, which will be woken</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Waiting: up to %Ln client instance(s)</source>
        <translation>
            <numerusform>Waiting: up to %Ln client instance</numerusform>
            <numerusform>Waiting: up to %Ln client instances</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Waiting: %Ln client instance(s)</source>
        <translation>
            <numerusform>Waiting: %Ln client instance</numerusform>
            <numerusform>Waiting: %Ln client instances</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Waiting: %Ln queued</source>
        <translation>
            <numerusform>Waiting: %Ln queued</numerusform>
            <numerusform>Waiting: %Ln queued</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>IncidentWords</name>
    <message numerus="yes">
        <source>%Ln, the last %1 ago</source>
        <translation>
            <numerusform>%Ln, %1 ago</numerusform>
            <numerusform>%Ln, the last %1 ago</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>and %Ln more</source>
        <translation>
            <numerusform>and %Ln more</numerusform>
            <numerusform>and %Ln more</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>LabWords</name>
    <message numerus="yes">
        <source>%Ln threads wait for %1</source>
        <translation>
            <numerusform>%Ln thread waits for %1</numerusform>
            <numerusform>%Ln threads wait for %1</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>holds %1 %Ln times</source>
        <translation>
            <numerusform>holds %1 once</numerusform>
            <numerusform>holds %1 %Ln times</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>LockText</name>
    <message numerus="yes">
        <source>%Ln holders: %1, …</source>
        <translation>
            <numerusform>%Ln holder: %1, …</numerusform>
            <numerusform>%Ln holders: %1, …</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln readers: %1 and %2 more</source>
        <translation>
            <numerusform>%Ln reader: %1 and %2 more</numerusform>
            <numerusform>%Ln readers: %1 and %2 more</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>LookupWords</name>
    <message numerus="yes">
        <source>As last seen: %Ln of them, on a node that cannot be reached.</source>
        <translation>
            <numerusform>As last seen: %Ln of them, on a node that cannot be reached.</numerusform>
            <numerusform>As last seen: %Ln of them, on a node that cannot be reached.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Holders now: %Ln.</source>
        <translation>
            <numerusform>Holders now: %Ln.</numerusform>
            <numerusform>Holders now: %Ln.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>It holds %Ln lock(s).</source>
        <translation>
            <numerusform>It holds %Ln lock.</numerusform>
            <numerusform>It holds %Ln locks.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Not watched: %1, and %Ln more time(s).</source>
        <translation>
            <numerusform>Not watched: %1, and %Ln more time.</numerusform>
            <numerusform>Not watched: %1, and %Ln more times.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Older holds left out: %Ln.</source>
        <translation>
            <numerusform>Older holds left out: %Ln.</numerusform>
            <numerusform>Older holds left out: %Ln.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Of the text only the first %Ln characters were read.</source>
        <translation>
            <numerusform>Of the text only the first character was read.</numerusform>
            <numerusform>Of the text only the first %Ln characters were read.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>NodeText</name>
    <message numerus="yes">
        <source>%Ln node(s)</source>
        <translation>
            <numerusform>%Ln node</numerusform>
            <numerusform>%Ln nodes</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 of %Ln node(s)</source>
        <translation>
            <numerusform>%1 of %Ln node</numerusform>
            <numerusform>%1 of %Ln nodes</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln of %1 nodes cannot be reached: their locks are shown as they were last seen.</source>
        <translation>
            <numerusform>%Ln of %1 nodes cannot be reached: its locks are shown as they were last seen.</numerusform>
            <numerusform>%Ln of %1 nodes cannot be reached: their locks are shown as they were last seen.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln of %1 nodes are not watched, because the Cluster is down or they do not answer: their locks are shown as they were last seen.</source>
        <translation>
            <numerusform>%Ln of %1 nodes is not watched, because the Cluster is down or it does not answer: its locks are shown as they were last seen.</numerusform>
            <numerusform>%Ln of %1 nodes are not watched, because the Cluster is down or they do not answer: their locks are shown as they were last seen.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>NoticeText</name>
    <message numerus="yes">
        <source>and %Ln more</source>
        <translation>
            <numerusform>and %Ln more</numerusform>
            <numerusform>and %Ln more</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1: %Ln waiter(s), held by %2</source>
        <translation>
            <numerusform>%1: %Ln waiter, held by %2</numerusform>
            <numerusform>%1: %Ln waiters, held by %2</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1: %Ln waiter(s)</source>
        <translation>
            <numerusform>%1: %Ln waiter</numerusform>
            <numerusform>%1: %Ln waiters</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>PainterText</name>
    <message numerus="yes">
        <source>pinned, up to %Ln waiting</source>
        <translation>
            <numerusform>pinned, up to %Ln waiting</numerusform>
            <numerusform>pinned, up to %Ln waiting</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>up to %Ln waiting</source>
        <translation>
            <numerusform>up to %Ln waiting</numerusform>
            <numerusform>up to %Ln waiting</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>SentCommands</name>
    <message numerus="yes">
        <source>  … and %Ln more</source>
        <translation>
            <numerusform>  … and %Ln more</numerusform>
            <numerusform>  … and %Ln more</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ShortText</name>
    <message numerus="yes">
        <source>%Ln holder(s)</source>
        <translation>
            <numerusform>%Ln holder</numerusform>
            <numerusform>%Ln holders</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>SynchronizerText</name>
    <message numerus="yes">
        <source>and %Ln more</source>
        <translation>
            <numerusform>and %Ln more</numerusform>
            <numerusform>and %Ln more</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ThreadText</name>
    <message numerus="yes">
        <source>%n thread(s) that the server names are in the dump</source>
        <translation>
            <numerusform>%n thread that the server names is in the dump</numerusform>
            <numerusform>%n threads that the server names are in the dump</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n are missing</source>
        <translation>
            <numerusform>%n is missing</numerusform>
            <numerusform>%n are missing</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n have numbers above its newest one</source>
        <translation>
            <numerusform>%n has a number above its newest one</numerusform>
            <numerusform>%n have numbers above its newest one</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n cannot be the threads with these numbers here</source>
        <translation>
            <numerusform>%n cannot be the thread with this number here</numerusform>
            <numerusform>%n cannot be the threads with these numbers here</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n numbers are no threads</source>
        <translation>
            <numerusform>%n number is no thread</numerusform>
            <numerusform>%n numbers are no threads</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>It stands at the same place in the last %n dumps.</source>
        <translation>
            <numerusform>It stands at the same place in the last dump.</numerusform>
            <numerusform>It stands at the same place in the last %n dumps.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1, with %n thread(s), %2.</source>
        <translation>
            <numerusform>%1, with %n thread, %2.</numerusform>
            <numerusform>%1, with %n threads, %2.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n thread(s)</source>
        <translation>
            <numerusform>%n thread</numerusform>
            <numerusform>%n threads</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>… %n frame(s) of the JDK and of libraries</source>
        <translation>
            <numerusform>… %n frame of the JDK and of libraries</numerusform>
            <numerusform>… %n frames of the JDK and of libraries</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>There are dumps of %n JVM(s): for each client the one that fits it best is read.</source>
        <translation>
            <numerusform>There are dumps of %n JVM: for each client the one that fits it best is read.</numerusform>
            <numerusform>There are dumps of %n JVMs: for each client the one that fits it best is read.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ThroughputText</name>
    <message numerus="yes">
        <source>Held %1 % of the time, by %Ln read(s)</source>
        <translation>
            <numerusform>Held %1 % of the time, by %Ln read</numerusform>
            <numerusform>Held %1 % of the time, by %Ln reads</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Held %1 to %2 % of the time, by a sample of %Ln read(s)</source>
        <translation>
            <numerusform>Held %1 to %2 % of the time, by a sample of %Ln read</numerusform>
            <numerusform>Held %1 to %2 % of the time, by a sample of %Ln reads</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Half of the holds take less than %1, by a sample of %Ln hold(s)</source>
        <translation>
            <numerusform>Half of the holds take less than %1, by a sample of %Ln hold</numerusform>
            <numerusform>Half of the holds take less than %1, by a sample of %Ln holds</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Half of the holds take less than %1, and 99 % less than %2, by a sample of %Ln hold(s)</source>
        <translation>
            <numerusform>Half of the holds take less than %1, and 99 % less than %2, by a sample of %Ln hold</numerusform>
            <numerusform>Half of the holds take less than %1, and 99 % less than %2, by a sample of %Ln holds</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>TimelineText</name>
    <message numerus="yes">
        <source>%Ln holds, too short to be told apart here: zoom in</source>
        <translation>
            <numerusform>%Ln hold, too short to be shown here: zoom in</numerusform>
            <numerusform>%Ln holds, too short to be told apart here: zoom in</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln renewal(s) seen</source>
        <translation>
            <numerusform>%Ln renewal seen</numerusform>
            <numerusform>%Ln renewals seen</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 and %Ln more</source>
        <translation>
            <numerusform>%1 and %Ln more</numerusform>
            <numerusform>%1 and %Ln more</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>TraceText</name>
    <message numerus="yes">
        <source>the TTL of %Ln lock(s) is not in the text, so the end of the lease is not known</source>
        <translation>
            <numerusform>the TTL of %Ln lock is not in the text, so the end of its lease is not known</numerusform>
            <numerusform>the TTL of %Ln locks is not in the text, so the ends of their leases are not known</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>the effects of %Ln script(s) about locks are not known: the trace has neither their text nor the lines marked &quot;lua&quot;. Take it without a filter</source>
        <translation>
            <numerusform>the effects of %Ln script about locks are not known: the trace has neither its text nor the lines marked &quot;lua&quot;. Take it without a filter</numerusform>
            <numerusform>the effects of %Ln scripts about locks are not known: the trace has neither their text nor the lines marked &quot;lua&quot;. Take it without a filter</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln lock(s) are taken as acquired by the first script about them, because a trace has no answers and nothing contradicts it</source>
        <translation>
            <numerusform>%Ln lock is taken as acquired by the first script about it, because a trace has no answers and nothing contradicts it</numerusform>
            <numerusform>%Ln locks are taken as acquired by the first script about them, because a trace has no answers and nothing contradicts it</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln lease(s) ended by the reckoning from their last renewal: a trace does not show that a key expires</source>
        <translation>
            <numerusform>%Ln lease ended by the reckoning from its last renewal: a trace does not show that a key expires</numerusform>
            <numerusform>%Ln leases ended by the reckoning from their last renewal: a trace does not show that a key expires</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln line(s) are cut off or too long, and were left out</source>
        <translation>
            <numerusform>%Ln line is cut off or too long, and was left out</numerusform>
            <numerusform>%Ln lines are cut off or too long, and were left out</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln key(s) are beyond the limit of what is kept, and were left out</source>
        <translation>
            <numerusform>%Ln key is beyond the limit of what is kept, and was left out</numerusform>
            <numerusform>%Ln keys are beyond the limit of what is kept, and were left out</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln line(s) are a little older than a line before, and have the time of that line</source>
        <translation>
            <numerusform>%Ln line is a little older than a line before, and has the time of that line</numerusform>
            <numerusform>%Ln lines are a little older than a line before, and have the time of that line</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>the times jump %Ln time(s), because the clock was set or the lines are of another server: what follows has times that go on from the line before</source>
        <translation>
            <numerusform>the times jump %Ln time, because the clock was set or the lines are of another server: what follows has times that go on from the line before</numerusform>
            <numerusform>the times jump %Ln times, because the clock was set or the lines are of another server: what follows has times that go on from the line before</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>WaitsText</name>
    <message numerus="yes">
        <source>The longest %1, of the last %Ln wait(s) that were seen from begin to end</source>
        <translation>
            <numerusform>The longest %1, of the last %Ln wait that was seen from begin to end</numerusform>
            <numerusform>The longest %1, of the last %Ln waits that were seen from begin to end</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>WatchingText</name>
    <message numerus="yes">
        <source>Script storm on %Ln node(s)</source>
        <translation>
            <numerusform>Script storm on %Ln node</numerusform>
            <numerusform>Script storm on %Ln nodes</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>lockkeeper::ui::ArmDialog</name>
    <message numerus="yes">
        <source>%Ln minute(s)</source>
        <translation>
            <numerusform>%Ln minute</numerusform>
            <numerusform>%Ln minutes</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>&amp;Arm for %Ln minute(s)</source>
        <translation>
            <numerusform>&amp;Arm for %Ln minute</numerusform>
            <numerusform>&amp;Arm for %Ln minutes</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>lockkeeper::ui::AuditDialog</name>
    <message numerus="yes">
        <source>%1 of the newest %Ln action(s)</source>
        <translation>
            <numerusform>%1 of the newest %Ln action</numerusform>
            <numerusform>%1 of the newest %Ln actions</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 of %Ln action(s)</source>
        <translation>
            <numerusform>%1 of %Ln action</numerusform>
            <numerusform>%1 of %Ln actions</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>lockkeeper::ui::ClientPanel</name>
    <message numerus="yes">
        <source>%1 of %Ln client(s) are shown</source>
        <translation>
            <numerusform>%1 of %Ln client is shown</numerusform>
            <numerusform>%1 of %Ln clients are shown</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>No more than %Ln client(s) are watched: those of some locks may be missing here</source>
        <translation>
            <numerusform>No more than %Ln client is watched: those of some locks may be missing here</numerusform>
            <numerusform>No more than %Ln clients are watched: those of some locks may be missing here</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>lockkeeper::ui::DiagnosisBadge</name>
    <message numerus="yes">
        <source>Lockkeeper: %Ln lock(s) with a diagnosis</source>
        <translation>
            <numerusform>Lockkeeper: %Ln lock with a diagnosis</numerusform>
            <numerusform>Lockkeeper: %Ln locks with a diagnosis</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>lockkeeper::ui::EmptyState</name>
    <message numerus="yes">
        <source>The last sweep read %Ln key(s) and found no lock. New locks appear here by themselves.</source>
        <translation>
            <numerusform>The last sweep read %Ln key and found no lock. New locks appear here by themselves.</numerusform>
            <numerusform>The last sweep read %Ln keys and found no lock. New locks appear here by themselves.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln key(s) read so far.</source>
        <translation>
            <numerusform>%Ln key read so far.</numerusform>
            <numerusform>%Ln keys read so far.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>All %Ln known lock(s) are hidden: %1.</source>
        <translation>
            <numerusform>The one known lock is hidden: %1.</numerusform>
            <numerusform>All %Ln known locks are hidden: %1.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>lockkeeper::ui::EventLogModel</name>
    <message numerus="yes">
        <source>The log has no event of %1 at %2: it keeps the latest %Ln, and none from before it was cleared.</source>
        <translation>
            <numerusform>The log has no event of %1 at %2: it keeps the latest %Ln, and none from before it was cleared.</numerusform>
            <numerusform>The log has no event of %1 at %2: it keeps the latest %Ln, and none from before it was cleared.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>lockkeeper::ui::EventLogPanel</name>
    <message numerus="yes">
        <source>Paused: %Ln held back</source>
        <translation>
            <numerusform>Paused: %Ln held back</numerusform>
            <numerusform>Paused: %Ln held back</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln newer</source>
        <translation>
            <numerusform>%Ln newer</numerusform>
            <numerusform>%Ln newer</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>lockkeeper::ui::ExitDialog</name>
    <message numerus="yes">
        <source>and %Ln more</source>
        <translation>
            <numerusform>and %Ln more</numerusform>
            <numerusform>and %Ln more</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>This console holds %Ln lock(s):</source>
        <translation>
            <numerusform>This console holds %Ln lock:</numerusform>
            <numerusform>This console holds %Ln locks:</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>lockkeeper::ui::ForceReleaseDialog</name>
    <message numerus="yes">
        <source>Remove also %Ln other dea&amp;d waiter(s) of its queue</source>
        <translation>
            <numerusform>Remove also %Ln other dea&amp;d waiter of its queue</numerusform>
            <numerusform>Remove also %Ln other dea&amp;d waiters of its queue</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Remove also %Ln dea&amp;d waiter(s) of its queue</source>
        <translation>
            <numerusform>Remove also %Ln dea&amp;d waiter of its queue</numerusform>
            <numerusform>Remove also %Ln dea&amp;d waiters of its queue</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>lockkeeper::ui::GroupedLocksModel</name>
    <message numerus="yes">
        <source>%Ln lock(s)</source>
        <translation>
            <numerusform>%Ln lock</numerusform>
            <numerusform>%Ln locks</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln with a diagnosis</source>
        <translation>
            <numerusform>%Ln with a diagnosis</numerusform>
            <numerusform>%Ln with a diagnosis</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>lockkeeper::ui::LocksPage</name>
    <message numerus="yes">
        <source>%Ln lock(s)</source>
        <translation>
            <numerusform>%Ln lock</numerusform>
            <numerusform>%Ln locks</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 of %Ln lock(s)</source>
        <translation>
            <numerusform>%1 of %Ln lock</numerusform>
            <numerusform>%1 of %Ln locks</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>lockkeeper::ui::LookupDialog</name>
    <message numerus="yes">
        <source>The text names %Ln clients or locks. This one is looked up:</source>
        <translation>
            <numerusform>The text names %Ln client or lock. This one is looked up:</numerusform>
            <numerusform>The text names %Ln clients or locks. This one is looked up:</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>A text of %Ln characters, too large to be shown, is searched.</source>
        <translation>
            <numerusform>A text of %Ln character, too large to be shown, is searched.</numerusform>
            <numerusform>A text of %Ln characters, too large to be shown, is searched.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>lockkeeper::ui::LossBanner</name>
    <message numerus="yes">
        <source>And %Ln more.</source>
        <translation>
            <numerusform>And %Ln more.</numerusform>
            <numerusform>And %Ln more.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>lockkeeper::ui::PaletteController</name>
    <message numerus="yes">
        <source>Client, holds %Ln lock(s)</source>
        <translation>
            <numerusform>Client, holds %Ln lock</numerusform>
            <numerusform>Client, holds %Ln locks</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>lockkeeper::ui::ProfileExchange</name>
    <message numerus="yes">
        <source>%Ln connection(s) written, without passwords, to %1</source>
        <translation>
            <numerusform>%Ln connection written, without passwords, to %1</numerusform>
            <numerusform>%Ln connections written, without passwords, to %1</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln connection(s) of the file are saved here with other settings: %1. Which ones do you want?</source>
        <translation>
            <numerusform>%Ln connection of the file is saved here with other settings: %1. Which one do you want?</numerusform>
            <numerusform>%Ln connections of the file are saved here with other settings: %1. Which ones do you want?</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>lockkeeper::ui::QueueTable</name>
    <message numerus="yes">
        <source>and %Ln more</source>
        <translation>
            <numerusform>and %Ln more</numerusform>
            <numerusform>and %Ln more</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>lockkeeper::ui::RemovePlacesDialog</name>
    <message numerus="yes">
        <source>Remove %Ln place(s) of %1, a client that seems to be gone?</source>
        <translation>
            <numerusform>Remove %Ln place of %1, a client that seems to be gone?</numerusform>
            <numerusform>Remove %Ln places of %1, a client that seems to be gone?</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln place(s) have gone since, or are not proven dead any more; they are left out.</source>
        <translation>
            <numerusform>%Ln place has gone since, or is not proven dead any more; it is left out.</numerusform>
            <numerusform>%Ln places have gone since, or are not proven dead any more; they are left out.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Remove %Ln place(s)</source>
        <translation>
            <numerusform>Remove %Ln place</numerusform>
            <numerusform>Remove %Ln places</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>lockkeeper::ui::RetentionForm</name>
    <message numerus="yes">
        <source>about %Ln MB when full</source>
        <translation>
            <numerusform>about %Ln MB when full</numerusform>
            <numerusform>about %Ln MB when full</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>lockkeeper::ui::StatusBar</name>
    <message numerus="yes">
        <source>%Ln lock(s) with a diagnosis</source>
        <translation>
            <numerusform>%Ln lock with a diagnosis</numerusform>
            <numerusform>%Ln locks with a diagnosis</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln held here</source>
        <translation>
            <numerusform>%Ln held here</numerusform>
            <numerusform>%Ln held here</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln event(s) came too fast and were dropped</source>
        <translation>
            <numerusform>%Ln event came too fast and was dropped</numerusform>
            <numerusform>%Ln events came too fast and were dropped</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln limit(s)</source>
        <translation>
            <numerusform>%Ln limit</numerusform>
            <numerusform>%Ln limits</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>lockkeeper::ui::SynchronizerPanel</name>
    <message numerus="yes">
        <source>%Ln set(s) of leases left over: the semaphore was deleted, and its leases were not.</source>
        <translation>
            <numerusform>%Ln set of leases left over: the semaphore was deleted, and its leases were not.</numerusform>
            <numerusform>%Ln sets of leases left over: the semaphores were deleted, and their leases were not.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>lockkeeper::ui::ThreadDumpDialog</name>
    <message numerus="yes">
        <source>The first %Ln threads are shown.</source>
        <translation>
            <numerusform>The first thread is shown.</numerusform>
            <numerusform>The first %Ln threads are shown.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>lockkeeper::ui::TimelineWidget</name>
    <message numerus="yes">
        <source>%Ln lock(s), a lane each; %1 to %2.</source>
        <translation>
            <numerusform>%Ln lock, a lane each; %1 to %2.</numerusform>
            <numerusform>%Ln locks, a lane each; %1 to %2.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>lockkeeper::ui::WaitDialog</name>
    <message numerus="yes">
        <source>Old: %Ln lock(s), whose node cannot be reached.</source>
        <translation>
            <numerusform>Old: %Ln lock, whose node cannot be reached.</numerusform>
            <numerusform>Old: %Ln locks, whose node cannot be reached.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>and %Ln more</source>
        <translation>
            <numerusform>and %Ln more</numerusform>
            <numerusform>and %Ln more</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Deadlock %1: %Ln that wait for each other, in a circle</source>
        <translation>
            <numerusform>Deadlock %1: %Ln that wait for each other, in a circle</numerusform>
            <numerusform>Deadlock %1: %Ln that wait for each other, in a circle</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Suspected deadlock %1 (read between %2 and %3): %Ln that wait for each other, in a circle</source>
        <translation>
            <numerusform>Suspected deadlock %1 (read between %2 and %3): %Ln that wait for each other, in a circle</numerusform>
            <numerusform>Suspected deadlock %1 (read between %2 and %3): %Ln that wait for each other, in a circle</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln known wait(s), no deadlock among them.</source>
        <translation>
            <numerusform>%Ln known wait, no deadlock among them.</numerusform>
            <numerusform>%Ln known waits, no deadlock among them.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln known wait(s).</source>
        <translation>
            <numerusform>%Ln known wait.</numerusform>
            <numerusform>%Ln known waits.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln deadlock(s).</source>
        <translation>
            <numerusform>%Ln deadlock.</numerusform>
            <numerusform>%Ln deadlocks.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln suspected deadlock(s).</source>
        <translation>
            <numerusform>%Ln suspected deadlock.</numerusform>
            <numerusform>%Ln suspected deadlocks.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln more wait(s) were left out.</source>
        <translation>
            <numerusform>%Ln more wait was left out.</numerusform>
            <numerusform>%Ln more waits were left out.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Suspected deadlock %1, by thread dumps: %Ln that wait for each other, in a circle</source>
        <translation>
            <numerusform>Suspected deadlock %1, by thread dumps: %Ln that wait for each other, in a circle</numerusform>
            <numerusform>Suspected deadlock %1, by thread dumps: %Ln that wait for each other, in a circle</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>lockkeeper::ui::WirePane</name>
    <message numerus="yes">
        <source>%Ln further command(s) were not kept</source>
        <translation>
            <numerusform>%Ln further command was not kept</numerusform>
            <numerusform>%Ln further commands were not kept</numerusform>
        </translation>
    </message>
</context>
</TS>
