import NIOCore

/// How many of the sent bytes the other side's system has confirmed.
///
/// The bytes that this side's system has accepted would show less: it fills its buffers for a dead peer, too.
package struct SocketProgress: Sendable {
    package let confirmedBytes: UInt64
    /// The time since the last confirmation.
    let silence: TimeAmount
    /// Whether bytes are not confirmed yet, or wait in this side's system.
    let isSending: Bool

    init(confirmedBytes: UInt64, silence: TimeAmount, isSending: Bool) {
        self.confirmedBytes = confirmedBytes
        self.silence = silence
        self.isSending = isSending
    }

    /// On the channel's event loop; `body` gets `nil` if the channel has no TCP socket.
    package static func read(of channel: any Channel, _ body: @escaping (SocketProgress?) -> Void) {
        guard let socket = channel as? any SocketOptionProvider else { return body(nil) }
        let info: EventLoopFuture<TCPInfo> = socket.unsafeGetSocketOption(level: .tcp, name: .tcp_info)
        info.assumeIsolated().whenComplete { result in
            switch result {
            case .success(let info): body(SocketProgress(info))
            // The socket is being closed; its handler is notified of that itself.
            case .failure: body(nil)
            }
        }
    }

    /// The beginning of the kernel's `struct tcp_info`, which only grows at its end; the C library's declaration ends
    /// before the members that are needed here.
    private typealias TCPInfo = SIMD32<UInt64>

    private init(_ info: TCPInfo) {
        // tcpi_bytes_acked is at byte 120, tcpi_last_ack_recv (milliseconds) at byte 56.
        confirmedBytes = info[15]
        silence = .milliseconds(Int64(UInt32(truncatingIfNeeded: info[7])))
        // tcpi_unacked (segments) is at byte 24, tcpi_notsent_bytes at byte 144.
        isSending = UInt32(truncatingIfNeeded: info[3]) > 0 || UInt32(truncatingIfNeeded: info[18]) > 0
    }
}
