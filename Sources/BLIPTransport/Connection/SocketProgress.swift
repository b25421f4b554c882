import NIOCore

/// How much of what was sent the other side's system has confirmed.
///
/// What this side's system has taken would show less: it fills its buffers for a dead peer just as well.
package struct SocketProgress: Sendable {
    package let confirmedBytes: UInt64
    /// Since anything was confirmed.
    let silence: TimeAmount
    /// Whether something is on its way that is not confirmed yet, or waits in this side's system.
    let isSending: Bool

    init(confirmedBytes: UInt64, silence: TimeAmount, isSending: Bool) {
        self.confirmedBytes = confirmedBytes
        self.silence = silence
        self.isSending = isSending
    }

    /// On the channel's event loop; hands out nothing where there is no TCP socket that could say.
    package static func read(of channel: any Channel, _ body: @escaping (SocketProgress?) -> Void) {
        guard let socket = channel as? any SocketOptionProvider else { return body(nil) }
        let info: EventLoopFuture<TCPInfo> = socket.unsafeGetSocketOption(level: .tcp, name: .tcp_info)
        info.assumeIsolated().whenComplete { result in
            switch result {
            case .success(let info): body(SocketProgress(info))
            // The socket is being closed, which its handler hears by itself.
            case .failure: body(nil)
            }
        }
    }

    /// The beginning of the kernel's `struct tcp_info`, which only grows at its end; that of the C library stops before
    /// what matters here.
    private typealias TCPInfo = SIMD32<UInt64>

    private init(_ info: TCPInfo) {
        // tcpi_bytes_acked is at byte 120, tcpi_last_ack_recv (milliseconds) at byte 56.
        confirmedBytes = info[15]
        silence = .milliseconds(Int64(UInt32(truncatingIfNeeded: info[7])))
        // tcpi_unacked (segments) is at byte 24, tcpi_notsent_bytes at byte 144.
        isSending = UInt32(truncatingIfNeeded: info[3]) > 0 || UInt32(truncatingIfNeeded: info[18]) > 0
    }
}
