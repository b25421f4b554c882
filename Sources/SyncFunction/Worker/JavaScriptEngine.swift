import CDuktape
import DocumentValues

/// A script engine with one sync function in it. Lives in the worker process only, on one thread.
///
/// Each function of a database has its own engine, so that it finds no objects of another function.
final class JavaScriptEngine {
    /// An exception of a script, as text.
    struct ScriptError: Error {
        let text: String
        /// The engine requested memory in vain.
        let lackedMemory: Bool
    }

    private let context: OpaquePointer
    /// On whose behalf it runs; `nil` for an administrator.
    private var user: WorkerUser?
    private var isUserKnown = false

    /// Compiles the function.
    init(function: [UInt8]) throws(ScriptError) {
        guard let context = fieldbook_js_create() else { throw ScriptError(text: "no memory", lackedMemory: true) }
        self.context = context
        let owner = Unmanaged.passUnretained(self).toOpaque()
        let status = Array(JavaScriptPrelude.source.utf8).withUnsafeBytes { bytes in
            fieldbook_js_install(context, fieldbook_js_text(bytes), Self.holds, owner)
        }
        guard status == 0 else { throw takeError() }
        _ = try call("define", arguments: [function])
    }

    deinit { fieldbook_js_destroy(context) }

    /// Whether it requested memory in vain, since it was made or since the last run began. It may have found some after a
    /// garbage collection, so this only matters for a run that has failed.
    var lackedMemory: Bool { fieldbook_js_was_refused_memory(context) != 0 }

    /// Runs the function; the result is the JSON that the prelude writes.
    ///
    /// - Parameters:
    ///   - meta: JSON of the function's third argument; `nil` if there is none.
    ///   - user: on whose behalf it runs; `nil` for an administrator.
    func run(
        document: [UInt8], oldDocument: [UInt8]?, meta: [UInt8]?, user: WorkerUser?
    ) throws(ScriptError) -> [UInt8] {
        fieldbook_js_forget_refusals(context)
        if !isUserKnown || self.user?.bytes != user?.bytes {
            let isPlain = user?.isPlain ?? true
            _ = try call("setUser", arguments: [user?.name, isPlain ? [] : nil])
            self.user = user
            isUserKnown = true
        }
        // Sync Gateway rounds such numbers of an old document, and functions compare the two.
        let document = JavaScriptNumbers.exact(document)
        let isPlain = [document.json, oldDocument, meta].allSatisfy { $0.map(Self.isPlain) ?? true }
        return try call(
            "run", arguments: [document.json, oldDocument, meta, document.numbersAsTexts, isPlain ? [] : nil])
    }

    /// Whether no path leads from the members of a JSON text to the objects that all calls share. Searched here: the engine
    /// takes longer to search a short document than for the rest of its call.
    private static func isPlain(_ json: [UInt8]) -> Bool { namesOnPaths.allSatisfy { !json.hasPart($0) } }

    /// Each such path has one of the first two; with an escape a name may be spelled in other bytes.
    private static let namesOnPaths = ["__proto__", "constructor", #"\u"#].map { Array($0.utf8) }

    /// Answers `requireRole` and `requireAccess`.
    private static let holds: fieldbook_js_holds = { owner, kind, bytes, length in
        guard let owner, let kind = WorkerUser.Holding(rawValue: kind) else { return 0 }
        let engine = Unmanaged<JavaScriptEngine>.fromOpaque(owner).takeUnretainedValue()
        let name = Array(UnsafeRawBufferPointer(start: bytes, count: length))
        return engine.user?.holds(kind, named: name) == true ? 1 : 0
    }

    private func call(_ method: String, arguments: [[UInt8]?]) throws(ScriptError) -> [UInt8] {
        let inside = arguments.map { $0.map(JavaScriptText.inside) }
        guard withTexts(inside[...], texts: [], body: { fieldbook_js_call(context, method, $0, Int32($0.count)) }) == 0
        else {
            throw takeError()
        }
        return takeTop()
    }

    /// Passes the arguments as one array of pointers.
    private func withTexts(
        _ rest: ArraySlice<[UInt8]?>, texts: [fieldbook_js_text], body: ([fieldbook_js_text]) -> Int32
    ) -> Int32 {
        guard let first = rest.first else { return body(texts) }
        guard let first else {
            return withTexts(rest.dropFirst(), texts: texts + [fieldbook_js_text(bytes: nil, length: 0)], body: body)
        }
        return first.withUnsafeBytes { withTexts(rest.dropFirst(), texts: texts + [fieldbook_js_text($0)], body: body) }
    }

    private func takeError() -> ScriptError {
        ScriptError(text: String(decoding: takeTop(), as: UTF8.self), lackedMemory: lackedMemory)
    }

    private func takeTop() -> [UInt8] {
        defer { fieldbook_js_pop(context) }
        let text = fieldbook_js_top(context)
        guard let bytes = text.bytes else { return Array("unknown error".utf8) }
        return JavaScriptText.outside(UnsafeRawBufferPointer(start: bytes, count: text.length))
    }
}

extension fieldbook_js_text {
    /// An empty buffer may have no address, which would read as null.
    fileprivate init(_ buffer: UnsafeRawBufferPointer) {
        self.init(
            bytes: buffer.baseAddress?.assumingMemoryBound(to: CChar.self) ?? Self.empty, length: buffer.count)
    }

    nonisolated(unsafe) private static let empty = UnsafePointer<CChar>(strdup(""))
}
