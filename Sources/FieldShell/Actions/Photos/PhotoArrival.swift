import DocumentValues
import FieldModels
import FieldRecords
import FieldSync

/// Fetches photos that are not on this laptop yet, when a command needs them.
struct PhotoArrival {
    let session: ShellSession

    /// Before one photo is shown or saved. Before the first login there is no gateway to ask: the command then says that the
    /// photo is missing.
    ///
    /// - Throws: `GatewayUnreached` with what to do; `Stopped`.
    func bring(_ photo: Photo, of reference: RecordReference) async throws {
        let absent = try session.field().absentPhotos
        guard try absent.areKnown, try !absent.isHere(photo), try hasGateway() else { return }
        session.dialogue.show("\(photo.name) is not on this laptop yet; fetching it …".printableLine)
        do { try await fetch(of: reference) } catch let error as GatewayUnreached {
            throw GatewayUnreached(
                cause: error.cause,
                advice: "\(photo.name) is still at the gateway: open it again when there is a network.".printableLine)
        }
    }

    /// Before an export, which names the photos that are still missing.
    func bringAll() async throws {
        let absent = try session.field().absentPhotos
        guard try absent.areKnown, try hasGateway() else { return }
        let count = try absent.count().files
        guard count > 0 else { return }
        session.dialogue.show("\(count.of("photo")) not on this laptop yet; fetching \(count == 1 ? "it" : "them") …")
        do { try await fetch(of: nil) } catch let error as GatewayUnreached {
            session.dialogue.show("The gateway cannot be reached: \(ErrorText.text(error.cause))".printable)
        }
    }

    private func hasGateway() throws -> Bool {
        let settings = try session.settings()
        return settings.gateway != nil && settings.user != nil
    }

    private func fetch(of reference: RecordReference?) async throws {
        let stop = SyncStop()
        let interrupt = session.use.stopsOnInterrupt ? stop.askOnInterrupt() : nil
        defer { interrupt?.remove() }
        let fetch = try PhotoFetch(session.signInSource(passwordFile: nil), stop: stop) { [meter = session.meter] in
            switch $0 {
            case .photos(let photos): meter.update(photos)
            case .idle: meter.finish()
            case .begun, .trying, .exchanged, .unanswered: break
            }
        }
        do { _ = try await fetch.fetch(of: reference) } catch SyncProblem.failed(let cause, _) {
            throw GatewayUnreached(cause: cause, advice: "Try again when there is a network.")
        }
    }
}
