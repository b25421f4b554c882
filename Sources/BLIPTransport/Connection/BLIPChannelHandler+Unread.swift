import BLIPProtocol
import NIOCore

extension BLIPChannelHandler {
    /// A client for which thousands of messages wait is not read. One that is closing is read, because its Close ends the
    /// connection.
    var isHeldByUnread: Bool {
        guard case .open = closing else { return false }
        return unread.arePiledUp
    }

    /// Bytes that unread messages take in addition to their content.
    var unreadBytes: Int { engine.waitingMessages * TransportLimits.bytesOfWaitingMessage }

    func noteUnread() {
        guard case .server = role, unread.note(engine.waitingMessages), let context else { return }
        guard unread.arePiledUp else {
            endReaderWatch()
            return receiveLater(context)
        }
        readOrPause()
        watchReader(of: context.channel)
    }

    private func watchReader(of channel: any Channel) {
        let handler = NIOLoopBound(self, eventLoop: channel.eventLoop)
        let watch = ReaderWatch(channel, limit: readingLimit) { handler.value.giveUpReader() }
        watch.note(isWaiting: true)
        readerWatch = watch
    }

    func endReaderWatch() {
        readerWatch?.end()
        readerWatch = nil
    }

    private func giveUpReader() {
        let seconds = readingLimit.nanoseconds / 1_000_000_000
        abort(BLIPCloseReason(aborting: "the client has read nothing of its answers for \(seconds) s"))
    }
}
