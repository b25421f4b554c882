import Crypto
import Dispatch
import ServiceLifecycle
import SodiumCrypto
import Synchronization

/// Checks passwords: one at a time, since each check costs 50 ms and 64 MiB, and not again while it is remembered.
/// `PasswordCheckQueue` decides the order; new passwords, which only administrators set, do not wait for logins.
///
/// It remembers a keyed hash over name, password and stored hash, under a key that exists as long as this process: so
/// no passwords are in memory, and a new password makes the old entry useless.
package final class PasswordChecker: Sendable {
    private typealias Check = @Sendable () -> Bool

    /// Requests that share one check: those from one address with the same name and password.
    private struct Attempt: Sendable, Hashable {
        let address: String
        let fingerprint: [UInt8]
    }

    private struct Waiting: Sendable {
        let attempt: Attempt
        let check: Check
        var requests: [Int: CheckedContinuation<PasswordCheckQueue.Verdict?, Never>]
    }

    /// The waiting requests and the checks for them.
    private struct Desk: Sendable {
        var order = PasswordCheckQueue()
        var waiting: [Int: Waiting] = [:]
        var tickets: [Attempt: Int] = [:]
        var lastRequest = 0
    }

    private typealias Resumption = (CheckedContinuation<PasswordCheckQueue.Verdict?, Never>, PasswordCheckQueue.Verdict)

    private let checking = DispatchQueue(label: "gateway.passwords", qos: .utility)
    private let making = DispatchQueue(label: "gateway.new-passwords", qos: .utility)
    private let key = SymmetricKey(size: .bits256)
    private let verified = Mutex<Set<[UInt8]>>([])
    private let desk = Mutex(Desk())
    private let beingMade = Mutex(0)
    private let strength: PasswordStrength
    /// Checked for names that do not exist, so that the time shows nothing about them.
    private let decoy: Mutex<String?> = Mutex(nil)

    package init(strength: PasswordStrength) { self.strength = strength }

    func hash(_ password: String) async throws -> String {
        let number = beingMade.withLock { count in
            count += 1
            return count
        }
        defer { beingMade.withLock { $0 -= 1 } }
        guard number <= GatewayLimits.newPasswords else {
            throw GatewayError.tooManyNewPasswords
        }
        let strength = strength
        return try await withCheckedThrowingContinuation { continuation in
            making.async {
                do {
                    continuation.resume(returning: try PasswordHash.make(password, strength: strength))
                } catch {
                    continuation.resume(throwing: error)
                }
            }
        }
    }

    /// Throws 429 if too many wait, and 503 if the request has ended or the gateway stops before its turn comes.
    ///
    /// - Parameters:
    ///   - hash: `nil` for an account that does not exist or has no password; then it is false.
    ///   - address: the client's address: requests from different addresses wait less for each other.
    package func verify(name: String, password: String, hash: String?, from address: String) async throws -> Bool {
        let entry = fingerprint(name, password, hash ?? "")
        if hash != nil, verified.withLock({ $0.contains(entry) }) { return true }
        let check: Check = { [self] in
            guard let hash else { return checkDecoy(password) }
            return PasswordHash.verify(password, against: hash)
        }
        let applicant = PasswordCheckQueue.Applicant(address: address, account: fingerprint(name))
        switch await verdict(on: entry, of: applicant, isKnown: hash != nil, check) {
        case nil: throw GatewayError.uncheckedPassword
        case .tooMany: throw GatewayError.tooManyLogins
        case .wrong: return false
        case .right: break
        }
        guard hash != nil else { return false }
        remember(entry)
        return true
    }

    private func remember(_ entry: [UInt8]) {
        verified.withLock { verified in
            if verified.count >= GatewayLimits.credentialCache { verified.removeAll() }
            verified.insert(entry)
        }
    }

    /// A hash of a password that has turned out right, if `hash` was made at another cost than new ones are. It counts as
    /// checked.
    func renewal(name: String, password: String, of hash: String) async throws -> String? {
        guard PasswordHash.needsRenewal(hash, strength: strength) else { return nil }
        let renewed = try await self.hash(password)
        remember(fingerprint(name, password, renewed))
        return renewed
    }

    /// Whether `verify` answers at once that they are right: then no time passes in which the account may change.
    func remembers(name: String, password: String, hash: String) -> Bool {
        let entry = fingerprint(name, password, hash)
        return verified.withLock { $0.contains(entry) }
    }

    /// Each request with a password needs one: so all parts are hashed at once.
    private func fingerprint(_ parts: String...) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(parts.reduce(0) { $0 + $1.utf8.count + 8 })
        for part in parts {
            bytes.append(contentsOf: "\(part.utf8.count):".utf8)
            bytes.append(contentsOf: part.utf8)
        }
        return Array(HMAC<SHA256>.authenticationCode(for: bytes, using: key))
    }

    /// Costs as much as a check, also when the decoy has to be made.
    private func checkDecoy(_ password: String) -> Bool {
        if let hash = decoy.withLock({ $0 }) {
            _ = PasswordHash.verify(password, against: hash)
        } else if let hash = try? PasswordHash.make("decoy", strength: strength) {
            // Without memory for a hash a check would fail, too; the next attempt tries again.
            decoy.withLock { $0 = hash }
        }
        return false
    }

    // MARK: - One after the other

    /// - Returns: `nil` if no request waits for it any more.
    private func verdict(
        on fingerprint: [UInt8], of applicant: PasswordCheckQueue.Applicant, isKnown: Bool, _ check: @escaping Check
    ) async -> PasswordCheckQueue.Verdict? {
        let attempt = Attempt(address: applicant.address, fingerprint: fingerprint)
        let request = desk.withLock { desk in
            desk.lastRequest += 1
            return desk.lastRequest
        }
        return await withTaskCancellationOrGracefulShutdownHandler {
            await withCheckedContinuation { continuation in
                let answers = desk.withLock { desk -> [Resumption] in
                    if let ticket = desk.tickets[attempt] {
                        desk.waiting[ticket]?.requests[request] = continuation
                        return []
                    }
                    let (ticket, answers) = desk.order.enter(applicant, isKnown: isKnown)
                    desk.waiting[ticket] = Waiting(attempt: attempt, check: check, requests: [request: continuation])
                    desk.tickets[attempt] = ticket
                    return Self.leaving(answers, desk: &desk)
                }
                for (waiting, verdict) in answers { waiting.resume(returning: verdict) }
                // If the request has ended already, the handler has found nothing to remove.
                if Task.isCancelled || Task.isShuttingDownGracefully { leave(request, attempt: attempt) }
                checkNext()
            }
        } onCancelOrGracefulShutdown: {
            self.leave(request, attempt: attempt)
        }
    }

    /// Removes a request that has ended; the last request of a check removes the check from the queue.
    private func leave(_ request: Int, attempt: Attempt) {
        let (left, answers) = desk.withLock { desk in
            guard let ticket = desk.tickets[attempt],
                let left = desk.waiting[ticket]?.requests.removeValue(forKey: request)
            else { return (nil, []) as (CheckedContinuation<PasswordCheckQueue.Verdict?, Never>?, [Resumption]) }
            guard desk.waiting[ticket]?.requests.isEmpty == true else { return (left, []) }
            Self.forget(ticket, desk: &desk)
            return (left, Self.leaving(desk.order.leave(ticket), desk: &desk))
        }
        left?.resume(returning: nil)
        for (waiting, verdict) in answers { waiting.resume(returning: verdict) }
    }

    private func checkNext() {
        let next = desk.withLock { desk in desk.order.next().map { ($0, desk.waiting[$0]?.check) } }
        guard let (ticket, check) = next else { return }
        checking.async { [self] in
            let isRight = check?() ?? false
            let answers = desk.withLock { desk in Self.leaving(desk.order.finish(ticket, isRight: isRight), desk: &desk)
            }
            for (waiting, verdict) in answers { waiting.resume(returning: verdict) }
            checkNext()
        }
    }

    private static func leaving(_ answers: [PasswordCheckQueue.Answer], desk: inout Desk) -> [Resumption] {
        answers.flatMap { answer in
            guard let waiting = forget(answer.ticket, desk: &desk) else { return [] as [Resumption] }
            return waiting.requests.values.map { ($0, answer.verdict) }
        }
    }

    @discardableResult
    private static func forget(_ ticket: Int, desk: inout Desk) -> Waiting? {
        guard let waiting = desk.waiting.removeValue(forKey: ticket) else { return nil }
        desk.tickets[waiting.attempt] = nil
        return waiting
    }
}
