import CDuktape

/// One Duktape heap with the prelude loaded. Only the worker process makes one.
final class ScriptEngine {
    private let context: OpaquePointer

    struct ScriptError: Error { let text: String }

    init() throws {
        guard let context = fieldbook_js_create() else { throw ScriptError(text: "no memory for a script engine") }
        self.context = context
        _ = try evaluate(Prelude.text)
    }

    deinit { fieldbook_js_destroy(context) }

    func evaluate(_ source: String) throws -> [UInt8] {
        var source = source
        return try source.withUTF8 { bytes in
            try bytes.withMemoryRebound(to: CChar.self) { text in
                try Self.value(fieldbook_js_evaluate(context, text.baseAddress, text.count))
            }
        }
    }

    /// Calls a function of the prelude with a number and a text.
    func call(_ function: StaticString, _ number: Int32, _ text: [UInt8]) throws -> [UInt8] {
        // A static string ends with a NUL.
        let name = UnsafeRawPointer(function.utf8Start).assumingMemoryBound(to: CChar.self)
        return try text.withUnsafeBytes { bytes in
            let text = bytes.bindMemory(to: CChar.self)
            return try Self.value(fieldbook_js_call(context, name, number, text.baseAddress, text.count))
        }
    }

    private static func value(_ text: fieldbook_js_text) throws -> [UInt8] {
        let bytes = UnsafeRawBufferPointer(start: text.bytes, count: text.length)
        guard text.failed == 0 else { throw ScriptError(text: String(decoding: bytes, as: UTF8.self)) }
        return Array(bytes)
    }
}
