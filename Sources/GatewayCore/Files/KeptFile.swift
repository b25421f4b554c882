import DocumentValues
import Foundation
import Glibc
import Logging
import Synchronization

/// A small list in a file beside a database: worth keeping over a restart, but not worth a transaction for each new
/// entry. It is a JSON array of objects, and only its owner may read the file.
struct KeptFile: Sendable {
    private let url: URL

    init(folder: String, name: String) { url = URL(fileURLWithPath: folder).appendingPathComponent(name) }

    /// The last objects of the file; none if there is no file. A damaged file is reported and put aside as
    /// `NAME.damaged`, since the next save would overwrite it.
    ///
    /// - Throws: if there is a file and it cannot be read or put aside.
    func objects(atMost limit: Int, logger: Logger) throws(GatewayError) -> [JSONObject] {
        do {
            guard let bytes = try FileContent.bytes(url.path) else { return [] }
            if let objects = Self.objects(in: bytes, atMost: limit) { return objects }
            let target = url.path + ".damaged"
            guard rename(url.path, target) == 0 else {
                throw GatewayError.damagedFileStays(url.path, problem: String(cString: strerror(errno)))
            }
            logger.warning("A damaged list was put aside; a new one begins", metadata: ["file": "\(target)"])
            return []
        } catch let error as GatewayError {
            throw error
        } catch {
            throw GatewayError.unreadableFile("\(error)")
        }
    }

    /// Skips elements that are no objects; `nil` if the whole is no JSON array.
    static func objects(in bytes: [UInt8], atMost limit: Int) -> [JSONObject]? {
        (try? JSONValue(parsing: bytes))?.arrayValue?.suffix(limit).compactMap(\.objectValue)
    }

    /// Replaces the file as a whole. Other accounts can read it at no time.
    func save(_ objects: [JSONObject]) throws(GatewayError) {
        let new = url.path + ".new"
        // One that a crash left.
        unlink(new)
        do { try NewFile.write(JSONValue.array(objects.map { .object($0) }).bytes, to: new, mode: 0o600) } catch {
            throw NewFile.isOutOfSpace(error)
                ? .diskFull : GatewayError.unwritableFile(url.path, problem: error.localizedDescription)
        }
        guard rename(new, url.path) == 0 else {
            let reason = String(cString: strerror(errno))
            unlink(new)
            throw GatewayError.unwritableFile(url.path, problem: reason)
        }
    }
}

/// The content of such a file, in memory. Housekeeping writes it, and so does closing the database: a crash loses only the
/// changes of some seconds.
final class KeptState<Value: Sendable>: Sendable {
    private struct State: Sendable {
        enum Phase { case saved, changed, ended }

        var value: Value
        var phase = Phase.saved
    }

    private let file: KeptFile
    private let state: Mutex<State>
    /// Held while the file is written, so that an older value never overwrites a newer one.
    private let writing = Mutex<Void>(())

    init(_ value: Value, in file: KeptFile) {
        self.file = file
        state = Mutex(State(value: value))
    }

    var value: Value { state.withLock { $0.value } }

    func change(_ body: (inout Value) -> Void) {
        state.withLock { state in
            body(&state.value)
            if state.phase == .saved { state.phase = .changed }
        }
    }

    /// Writes the file if something has changed since the last time.
    func save(_ objects: (Value) -> [JSONObject]) throws(GatewayError) {
        try writing.withLock { _ throws(GatewayError) in
            let unsaved: Value? = state.withLock { state in
                guard state.phase == .changed else { return nil }
                state.phase = .saved
                return state.value
            }
            guard let unsaved else { return }
            do throws(GatewayError) { try file.save(objects(unsaved)) } catch {
                state.withLock { if $0.phase == .saved { $0.phase = .changed } }
                throw error
            }
        }
    }

    /// Writes the file for the last time: a database of the same name may have its folder afterwards.
    func end(_ objects: (Value) -> [JSONObject]) throws(GatewayError) {
        defer { writing.withLock { _ in state.withLock { $0.phase = .ended } } }
        try save(objects)
    }
}
