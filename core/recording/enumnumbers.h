// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "control/consolecause.h"
#include "lab/labcause.h"
#include "lockkeeper_monitor_export.h"
#include "monitor/model/monitorcause.h"
#include "profile/configuration/redissoncause.h"
#include "profile/profilecause.h"
#include "profile/urlcause.h"
#include "recording/record.h"

#include <algorithm>
#include <array>
#include <optional>
#include <tuple>
#include <type_traits>

// The number of each enumerator in a recording, in all versions of the format. A number never gets another meaning,
// whatever the order in the enum is: a new enumerator gets a number that is not in its list yet. A test compares the
// lists with the enums.
namespace lockkeeper::recording {

template <typename Value>
struct EnumNumber {
    Value value;
    qint64 number;
};

// The list of an enum. Only for the enums below.
template <typename Value>
inline constexpr auto enumNumbers = nullptr;

// For a value without a number. A reader takes it for an enumerator of a later version.
constexpr qint64 noEnumNumber = -1;

template <typename Value>
[[nodiscard]] constexpr qint64 enumNumber(Value value) {
    const auto found = std::ranges::find(enumNumbers<Value>, value, &EnumNumber<Value>::value);
    return found == enumNumbers<Value>.end() ? noEnumNumber : found->number;
}

// Nothing for a number that this version does not know.
template <typename Value>
[[nodiscard]] constexpr std::optional<Value> enumeratorOf(qint64 number) {
    const auto found = std::ranges::find(enumNumbers<Value>, number, &EnumNumber<Value>::number);
    return found == enumNumbers<Value>.end() ? std::nullopt : std::optional(found->value);
}

template <>
inline constexpr auto enumNumbers<ErrorCode> = [] {
    using enum ErrorCode;
    return std::to_array<EnumNumber<ErrorCode>>({{InvalidArgument, 0},
                                                 {Timeout, 1},
                                                 {Cancelled, 2},
                                                 {ConnectionLost, 3},
                                                 {OutcomeUnknown, 4},
                                                 {HostNotFound, 5},
                                                 {ConnectionRefused, 6},
                                                 {Tls, 7},
                                                 {Ssh, 8},
                                                 {Auth, 9},
                                                 {NotPermitted, 10},
                                                 {Protocol, 11},
                                                 {ServerReply, 12},
                                                 {Overloaded, 13},
                                                 {NotArmed, 14},
                                                 {NotHeld, 15},
                                                 {NotAnnounced, 16},
                                                 {HolderChanged, 17},
                                                 {Keychain, 18},
                                                 {Storage, 19}});
}();

template <>
inline constexpr auto enumNumbers<ReplyKind> = [] {
    using enum ReplyKind;
    return std::to_array<EnumNumber<ReplyKind>>(
        {{None, 0},      {CommandDenied, 1}, {KeyDenied, 2},           {ChannelDenied, 3},   {ProtectedMode, 4},
         {NoAuth, 5},    {WrongPass, 6},     {UnknownCommand, 7},      {UnknownProtocol, 8}, {SyntaxError, 9},
         {NoScript, 10}, {WrongType, 11},    {TransactionAborted, 12}, {ReadOnly, 13},       {Moved, 14},
         {Ask, 15},      {TryAgain, 16},     {CrossSlot, 17},          {ClusterDown, 18},    {Loading, 19},
         {Busy, 20},     {MasterDown, 21},   {OutOfMemory, 22},        {NoReplicas, 23},     {MaxClients, 24},
         {Other, 25}});
}();

template <>
inline constexpr auto enumNumbers<Cause> = [] {
    using enum Cause;
    return std::to_array<EnumNumber<Cause>>({{None, 0},
                                             {NotConnected, 1},
                                             {ConnectionClosed, 2},
                                             {ClosedByServer, 3},
                                             {ClosedUnanswered, 4},
                                             {NoConnectionInTime, 5},
                                             {NoHandshakeInTime, 6},
                                             {ServerSilent, 7},
                                             {NoAnswerInTime, 8},
                                             {Cancelled, 9},
                                             {ReadOnlyConnection, 10},
                                             {WriteOnReadOnly, 11},
                                             {TooManyCommands, 12},
                                             {TooManyWaiters, 13},
                                             {UnexpectedReply, 14},
                                             {UnrequestedReply, 15},
                                             {UnrequestedPush, 16},
                                             {ServerTooOld, 17},
                                             {NoCertificateAuthority, 18},
                                             {NoClientCertificate, 19},
                                             {NotAPemFile, 20},
                                             {KeyPassphraseMissing, 21},
                                             {KeyPassphraseWrong, 22},
                                             {CertificateExpired, 23},
                                             {CertificateNotYetValid, 24},
                                             {CertificateOtherHost, 25},
                                             {CertificateNotTrusted, 26},
                                             {CertificateNotPinned, 27},
                                             {ClientCertificateMissing, 28},
                                             {ClientCertificateRefused, 29},
                                             {TlsVersionRefused, 30},
                                             {NoTlsAnswer, 31},
                                             {ServerSpeaksTls, 32},
                                             {EndedBeforeAnswer, 33},
                                             {NotRedis, 34},
                                             {ReplyTooLarge, 35},
                                             {MalformedReply, 36},
                                             {MalformedStringLength, 37},
                                             {MalformedAggregateLength, 38},
                                             {StringTooLong, 39},
                                             {StringNotEnded, 40},
                                             {TooManyEntries, 41},
                                             {NestedTooDeep, 42},
                                             {LineTooLong, 43},
                                             {NotMaster, 44},
                                             {MasterChanged, 45},
                                             {MasterNotKnown, 46},
                                             {NoSentinel, 47},
                                             {NoClusterNode, 48},
                                             {ShardGone, 49},
                                             {SshNotStarted, 50},
                                             {SshEnded, 51},
                                             {SshSilent, 52},
                                             {SshNotInTime, 53},
                                             {SshQuestionCancelled, 54},
                                             {SshUnixPath, 55},
                                             {LockClientClosed, 56},
                                             {LeaseOutOfRange, 57},
                                             {LostBeforeReplicas, 58},
                                             {TooFewReplicas, 59},
                                             {TooFewServers, 60},
                                             {MembersUnanswered, 61},
                                             {NotHolder, 62},
                                             {AlreadyHeld, 63},
                                             {WaitersNotWoken, 64},
                                             {FolderNotMade, 110},
                                             {FileNotRenamed, 111},
                                             {NotAFile, 112},
                                             {FileNotRead, 113},
                                             {FileNotWritten, 114},
                                             {MasterLinkLost, 122}});
}();

template <>
inline constexpr auto enumNumbers<profile::UrlCause> = [] {
    using enum profile::UrlCause;
    return std::to_array<EnumNumber<profile::UrlCause>>(
        {{Empty, 74},         {Malformed, 75},       {Scheme, 76},      {Fragment, 77},
         {PortZero, 78},      {HostMissing, 79},     {Database, 80},    {PathDatabase, 81},
         {OptionUnknown, 82}, {OptionEmpty, 83},     {Share, 84},       {UnixPath, 85},
         {HostList, 86},      {MasterMissing, 87},   {ClusterPath, 88}, {AddressMap, 89},
         {Ssh, 90},           {Fingerprint, 91},     {TlsVersion, 92},  {Seconds, 160},
         {YesNo, 161},        {RedissonVersion, 162}});
}();

template <>
inline constexpr auto enumNumbers<profile::RedissonCause> = [] {
    using enum profile::RedissonCause;
    return std::to_array<EnumNumber<profile::RedissonCause>>(
        {{TooLarge, 93},       {NotText, 94},           {Syntax, 95},          {TabIndent, 155},
         {TooDeep, 140},       {TooManySettings, 141},  {NoServers, 96},       {TwoServers, 97},
         {Pro, 142},           {NoValue, 99},           {NoList, 100},         {NoGroup, 101},
         {Missing, 102},       {CommentedOut, 143},     {NoAddress, 103},      {SeveralAddresses, 144},
         {NoPort, 145},        {NoDatabase, 104},       {NoTime, 146},         {NoSwitch, 147},
         {MixedTls, 105},      {Variables, 106},        {Profiles, 148},       {NoProfile, 149},
         {OtherFolder, 150},   {FileMissing, 151},      {NoArchive, 152},      {NoConfiguration, 153},
         {SeveralFiles, 154},  {TooManyAddresses, 181}, {TooManyFiles, 182},   {TooManyDocuments, 183},
         {TooMuchText, 184},   {OpenQuote, 185},        {Cyclic, 186},         {NotBase64, 187},
         {EntryTooLarge, 188}, {EntryNotRead, 189},     {SeveralObjects, 190}, {EntryEncrypted, 191},
         {ImportNotRead, 192}});
}();

template <>
inline constexpr auto enumNumbers<profile::ProfileCause> = [] {
    using enum profile::ProfileCause;
    return std::to_array<EnumNumber<profile::ProfileCause>>({{ProfilesNotReadable, 115},
                                                             {DamagedNotRenamed, 116},
                                                             {LaterVersionNotRenamed, 117},
                                                             {FileRenamed, 118},
                                                             {BackupRestored, 119}});
}();

template <>
inline constexpr auto enumNumbers<control::ConsoleCause> = [] {
    using enum control::ConsoleCause;
    return std::to_array<EnumNumber<control::ConsoleCause>>({{NotArmed, 65},
                                                             {NeverArmed, 66},
                                                             {ChangedSinceConfirmed, 67},
                                                             {InQuarantine, 68},
                                                             {NoHolderToBreak, 69},
                                                             {UnknownKindToBreak, 70},
                                                             {TooManyReadHolds, 71},
                                                             {TooManyReaders, 72}});
}();

template <>
inline constexpr auto enumNumbers<monitor::MonitorCause> = [] {
    using enum monitor::MonitorCause;
    return std::to_array<EnumNumber<monitor::MonitorCause>>({{MonitorUnderWay, 73}, {RightsRestored, 123}});
}();

template <>
inline constexpr auto enumNumbers<lab::LabCause> = [] {
    using enum lab::LabCause;
    return std::to_array<EnumNumber<lab::LabCause>>(
        {{NoServerProgram, 107}, {ServerNotStarted, 108}, {ServerEnded, 109}, {SocketPathTooLong, 121}});
}();

template <>
inline constexpr auto enumNumbers<monitor::LockKind> = [] {
    using enum monitor::LockKind;
    return std::to_array<EnumNumber<monitor::LockKind>>(
        {{Unknown, 0}, {Reentrant, 1}, {Fair, 2}, {ReadWrite, 3}, {Fenced, 4}, {FasterMulti, 5}});
}();

template <>
inline constexpr auto enumNumbers<monitor::HoldMode> = [] {
    using enum monitor::HoldMode;
    return std::to_array<EnumNumber<monitor::HoldMode>>({{Exclusive, 0}, {Read, 1}, {Write, 2}});
}();

template <>
inline constexpr auto enumNumbers<monitor::Reception> = [] {
    using enum monitor::Reception;
    return std::to_array<EnumNumber<monitor::Reception>>({{Complete, 0}, {Incomplete, 1}});
}();

template <>
inline constexpr auto enumNumbers<monitor::KeyTouch> = [] {
    using enum monitor::KeyTouch;
    return std::to_array<EnumNumber<monitor::KeyTouch>>({{NotKnown, 0}, {Untouched, 1}, {Touched, 2}});
}();

template <>
inline constexpr auto enumNumbers<monitor::Countdown> = [] {
    using enum monitor::Countdown;
    return std::to_array<EnumNumber<monitor::Countdown>>({{Even, 0}, {Doubtful, 1}});
}();

template <>
inline constexpr auto enumNumbers<monitor::Coverage> = [] {
    using enum monitor::Coverage;
    return std::to_array<EnumNumber<monitor::Coverage>>({{SomeServers, 0}, {AllServers, 1}});
}();

template <>
inline constexpr auto enumNumbers<monitor::Denied> = [] {
    using enum monitor::Denied;
    return std::to_array<EnumNumber<monitor::Denied>>({{Command, 0},
                                                       {SemaphoreCommand, 1},
                                                       {Keys, 2},
                                                       {ReaderTimeouts, 3},
                                                       {Rows, 4},
                                                       {Synchronizers, 5},
                                                       {DiscoveryConnection, 6},
                                                       {Replica, 7},
                                                       {TrackingTable, 8}});
}();

template <>
inline constexpr auto enumNumbers<monitor::Consequence> = [] {
    using enum monitor::Consequence;
    return std::to_array<EnumNumber<monitor::Consequence>>({{ConnectionMayBeEvicted, 0},
                                                            {ReadsCountAsUse, 1},
                                                            {FairLocksLookPlain, 2},
                                                            {FencedLocksLookPlain, 3},
                                                            {ReadsCostMore, 4},
                                                            {RecognitionCostsMore, 5},
                                                            {ReaderLeasesUnknown, 6},
                                                            {LocksUnreadable, 7},
                                                            {SomeKeysUnreadable, 8},
                                                            {WaitersUnknown, 9},
                                                            {OtherMonitorsUnknown, 10},
                                                            {ServerFiguresUnknown, 11},
                                                            {LocksPolled, 12},
                                                            {PrefixesNotTracked, 13},
                                                            {NewFieldsNotReceived, 14},
                                                            {ReleasesUnknown, 15},
                                                            {ReadWriteReleasesUnknown, 16},
                                                            {PublishingUnknown, 17},
                                                            {KeyChangesNotReceived, 18},
                                                            {QueuesSeenLate, 19},
                                                            {SynchronizersUnseen, 20},
                                                            {LeasedPermitsUnseen, 21},
                                                            {SynchronizersLeftOut, 22},
                                                            {LocksLeftOut, 23},
                                                            {ProgressUnknown, 24},
                                                            {LocksNotScanned, 25},
                                                            {NoConnectionToScan, 26},
                                                            {DeadWaitersNotProven, 27},
                                                            {ChangesSeenLate, 28}});
}();

template <>
inline constexpr auto enumNumbers<monitor::ThreadState> = [] {
    using enum monitor::ThreadState;
    return std::to_array<EnumNumber<monitor::ThreadState>>(
        {{Unknown, 0}, {New, 1}, {Runnable, 2}, {Blocked, 3}, {Waiting, 4}, {TimedWaiting, 5}, {Terminated, 6}});
}();

template <>
inline constexpr auto enumNumbers<monitor::Activity> = [] {
    using enum monitor::Activity;
    return std::to_array<EnumNumber<monitor::Activity>>(
        {{Runs, 0}, {Sleeps, 1}, {ReadsSocket, 2}, {WaitsForRedisson, 3}, {WaitsForMonitor, 4}, {Waits, 5}, {Idle, 6}});
}();

template <>
inline constexpr auto enumNumbers<monitor::RedissonCall> = [] {
    using enum monitor::RedissonCall;
    return std::to_array<EnumNumber<monitor::RedissonCall>>(
        {{Lock, 0}, {SpinLock, 1}, {MultiLock, 2}, {Semaphore, 3}, {Latch, 4}, {Other, 5}});
}();

template <>
inline constexpr auto enumNumbers<monitor::Fit> = [] {
    using enum monitor::Fit;
    return std::to_array<EnumNumber<monitor::Fit>>({{Given, 0}, {Strong, 1}, {Weak, 2}, {Contradicts, 3}});
}();

template <>
inline constexpr auto enumNumbers<monitor::NodePhase> = [] {
    using enum monitor::NodePhase;
    return std::to_array<EnumNumber<monitor::NodePhase>>(
        {{Connecting, 0}, {Watching, 1}, {Reconnecting, 2}, {NotServing, 3}});
}();

template <>
inline constexpr auto enumNumbers<monitor::ObservationMode> = [] {
    using enum monitor::ObservationMode;
    return std::to_array<EnumNumber<monitor::ObservationMode>>(
        {{None, 0}, {Tracking, 1}, {KeyspaceEvents, 2}, {Polling, 3}});
}();

template <>
inline constexpr auto enumNumbers<monitor::ObservationLimit::Kind> = [] {
    using enum monitor::ObservationLimit::Kind;
    return std::to_array<EnumNumber<monitor::ObservationLimit::Kind>>({{None, 0}, {NoResp3, 1}, {TrackingRefused, 2}});
}();

template <>
inline constexpr auto enumNumbers<monitor::WriteReports> = [] {
    using enum monitor::WriteReports;
    return std::to_array<EnumNumber<monitor::WriteReports>>({{On, 0},
                                                             {NotYet, 1},
                                                             {Paused, 2},
                                                             {Busy, 3},
                                                             {LoadUnknown, 4},
                                                             {Refused, 5},
                                                             {LimitUnknown, 6},
                                                             {Unlimited, 7},
                                                             {NoResp3, 8}});
}();

template <>
inline constexpr auto enumNumbers<monitor::DiscoveryState> = [] {
    using enum monitor::DiscoveryState;
    return std::to_array<EnumNumber<monitor::DiscoveryState>>({{Running, 0}, {Paused, 1}, {Refused, 2}});
}();

template <>
inline constexpr auto enumNumbers<monitor::SynchronizerKind> = [] {
    using enum monitor::SynchronizerKind;
    return std::to_array<EnumNumber<monitor::SynchronizerKind>>({{Semaphore, 0}, {CountDownLatch, 1}, {Unknown, 2}});
}();

template <>
inline constexpr auto enumNumbers<monitor::CounterState> = [] {
    using enum monitor::CounterState;
    return std::to_array<EnumNumber<monitor::CounterState>>(
        {{Read, 0}, {Missing, 1}, {NoCounter, 2}, {NotReadable, 3}});
}();

template <>
inline constexpr auto enumNumbers<monitor::SynchronizerReading::Sight> = [] {
    using enum monitor::SynchronizerReading::Sight;
    return std::to_array<EnumNumber<monitor::SynchronizerReading::Sight>>({{Clear, 0}, {Refused, 1}});
}();

template <>
inline constexpr auto enumNumbers<LinkStatus::Phase> = [] {
    using enum LinkStatus::Phase;
    return std::to_array<EnumNumber<LinkStatus::Phase>>(
        {{Disconnected, 0}, {Connecting, 1}, {Connected, 2}, {Reconnecting, 3}, {Failed, 4}});
}();

template <>
inline constexpr auto enumNumbers<lab::ServerCondition> = [] {
    using enum lab::ServerCondition;
    return std::to_array<EnumNumber<lab::ServerCondition>>({{Running, 0}, {Frozen, 1}, {Killed, 2}});
}();

template <>
inline constexpr auto enumNumbers<lab::KeyReading> = [] {
    using enum lab::KeyReading;
    return std::to_array<EnumNumber<lab::KeyReading>>({{Now, 0}, {ClusterDown, 1}, {Failed, 2}});
}();

template <>
inline constexpr auto enumNumbers<lab::LabThread::Doing> = [] {
    using enum lab::LabThread::Doing;
    return std::to_array<EnumNumber<lab::LabThread::Doing>>({{Waits, 0}, {Holds, 1}});
}();

template <>
inline constexpr auto enumNumbers<lab::WireLine::Sender> = [] {
    using enum lab::WireLine::Sender;
    return std::to_array<EnumNumber<lab::WireLine::Sender>>({{Actor, 0}, {Script, 1}, {ByHand, 2}});
}();

template <>
inline constexpr auto enumNumbers<lab::LabPhase> = [] {
    using enum lab::LabPhase;
    return std::to_array<EnumNumber<lab::LabPhase>>(
        {{Starting, 0}, {Stopped, 1}, {Running, 2}, {Free, 3}, {Failed, 4}});
}();

template <>
inline constexpr auto enumNumbers<lab::Trigger> = [] {
    using enum lab::Trigger;
    return std::to_array<EnumNumber<lab::Trigger>>({{Present, 0}, {Removed, 1}});
}();

// All of the above, for the test.
using RecordedEnums =
    std::tuple<ErrorCode, ReplyKind, Cause, profile::UrlCause, profile::RedissonCause, profile::ProfileCause,
               control::ConsoleCause, monitor::MonitorCause, lab::LabCause, monitor::LockKind, monitor::HoldMode,
               monitor::Reception, monitor::KeyTouch, monitor::Countdown, monitor::Coverage, monitor::Denied,
               monitor::Consequence, monitor::ThreadState, monitor::Activity, monitor::RedissonCall, monitor::Fit,
               monitor::NodePhase, monitor::ObservationMode, monitor::ObservationLimit::Kind, monitor::WriteReports,
               monitor::DiscoveryState, monitor::SynchronizerKind, monitor::CounterState,
               monitor::SynchronizerReading::Sight, LinkStatus::Phase, lab::ServerCondition, lab::KeyReading,
               lab::LabThread::Doing, lab::WireLine::Sender, lab::LabPhase, lab::Trigger>;

template <typename Value, typename... Enum>
constexpr bool isAmong(std::type_identity<std::tuple<Enum...>>) {
    return (std::is_same_v<Value, Enum> || ...);
}
template <typename Value>
concept RecordedEnum = isAmong<Value>(std::type_identity<RecordedEnums>());

// The enums of causes; their numbers differ from each other.
using RecordedCauses = std::tuple<Cause, profile::UrlCause, profile::RedissonCause, profile::ProfileCause,
                                  control::ConsoleCause, monitor::MonitorCause, lab::LabCause>;

[[nodiscard]] LOCKKEEPER_MONITOR_EXPORT qint64 causeNumber(const AnyCause& cause);
// Nothing for a number that this version does not know.
[[nodiscard]] LOCKKEEPER_MONITOR_EXPORT std::optional<AnyCause> causeOf(qint64 number);

}  // namespace lockkeeper::recording
