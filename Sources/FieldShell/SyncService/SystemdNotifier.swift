import Dispatch
import DocumentValues
import Foundation
import Glibc

/// Reports to systemd how a service fares (`sd_notify`): datagrams to the socket that it names, no library.
struct SystemdNotifier: Sendable {
    private let address: String
    /// How often systemd wants to hear that the service lives, or it is restarted; half of that is due.
    let watchdogInterval: TimeInterval?

    /// - Returns: `nil` if it was not systemd that started the program.
    init?(_ variables: [String: String], process: Int32 = getpid()) {
        guard let address = variables["NOTIFY_SOCKET"], address.utf8.count > 1,
            address.hasPrefix("/") || address.hasPrefix("@"), address.utf8.count <= Self.pathBytes
        else { return nil }
        self.address = address
        let isMeant = variables["WATCHDOG_PID"].map { Int32($0) == process } ?? true
        watchdogInterval = variables["WATCHDOG_USEC"].flatMap { UInt64($0) }.flatMap { microseconds in
            isMeant && microseconds > 0 ? TimeInterval(microseconds) / 1_000_000 : nil
        }
    }

    /// The bytes of a path that fit `sockaddr_un`, without the zero at its end.
    private static let pathBytes = MemoryLayout<sockaddr_un>.size - MemoryLayout<sa_family_t>.size - 1

    enum Message: Sendable, Hashable {
        case ready
        /// A reload begins; it has ended when the service is ready again.
        case reloading
        case stopping
        case alive
        /// One line for people.
        case status(String)

        fileprivate var text: String {
            switch self {
            case .ready: return "READY=1"
            case .stopping: return "STOPPING=1"
            case .alive: return "WATCHDOG=1"
            case .status(let line): return "STATUS=" + line.map { $0.isNewline ? " " : String($0) }.joined()
            case .reloading:
                // The clock of Dispatch is CLOCK_MONOTONIC, which systemd wants.
                return "RELOADING=1\nMONOTONIC_USEC=\(DispatchTime.now().uptimeNanoseconds / 1_000)"
            }
        }
    }

    func send(_ message: Message) throws(NotifyError) {
        let descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { throw NotifyError(errno) }
        defer { close(descriptor) }
        guard Self.withAddress(address, body: { connect(descriptor, $0, $1) }) == 0 else { throw NotifyError(errno) }
        // A systemd that does not read does not hold the service up.
        var room = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        guard poll(&room, 1, Int32(ShellLimits.systemdMessage) * 1_000) != 0 else { throw NotifyError(EAGAIN) }
        let bytes = Array(message.text.utf8)
        let count = Glibc.send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT))
        guard count == bytes.count else { throw NotifyError(errno) }
    }

    /// A name with `@` in front is not in the file system: its first byte is zero, and its length counts.
    private static func withAddress<Value>(
        _ name: String, body: (UnsafePointer<sockaddr>, socklen_t) -> Value
    ) -> Value {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        var path = Array(name.utf8)
        let isAbstract = path[0] == UInt8(ascii: "@")
        if isAbstract { path[0] = 0 }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path) }
        let length = MemoryLayout<sa_family_t>.size + path.count + (isAbstract ? 0 : 1)
        return withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, socklen_t(length)) }
        }
    }
}

/// systemd did not take a message.
struct NotifyError: UserFacingError {
    let code: Int32

    init(_ code: Int32) { self.code = code }

    var description: String { "systemd cannot be notified: \(String(cString: strerror(code)))" }
}
