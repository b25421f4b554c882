import DocumentQuery
import DocumentValues
import Foundation
import GRDB
import GRDBSQLite

/// `fb_terms`, the tokenizer of full-text indexes: its arguments are those of `WordSettings.text`.
enum FullTextTokenizer {
    static let name = "fb_terms"

    static func register(_ registry: FunctionRegistry, in db: GRDB.Database) throws {
        let api = UnsafeMutablePointer(mutating: FTS5.api(db))
        var tokenizer = fts5_tokenizer(
            xCreate: { _, arguments, count, made in FullTextTokenizer.create(arguments, count: count, made: made) },
            xDelete: { tokenizer in FullTextTokenizer.delete(tokenizer) },
            xTokenize: { tokenizer, context, _, text, length, report in
                FullTextTokenizer.tokenize(
                    tokenizer, text: UnsafeBufferPointer(start: text, count: Int(length)), context: context,
                    report: report)
            })
        try registry.check(api.pointee.xCreateTokenizer(api, name, nil, &tokenizer, nil))
    }

    /// A word in one form, without accents if they are ignored.
    static func composed(_ word: String, ignoresAccents: Bool) -> String {
        let word = word.streamSafe
        guard ignoresAccents else { return word.precomposedStringWithCanonicalMapping }
        var plain = ""
        plain.unicodeScalars.append(
            contentsOf: word.decomposedStringWithCanonicalMapping.unicodeScalars.filter {
                $0.properties.generalCategory != .nonspacingMark
            })
        return plain.precomposedStringWithCanonicalMapping
    }

    private final class Instance: Sendable {
        let settings: WordSettings
        init(_ settings: WordSettings) { self.settings = settings }
    }

    private static func create(
        _ arguments: UnsafeMutablePointer<UnsafePointer<CChar>?>?, count: Int32,
        made: UnsafeMutablePointer<OpaquePointer?>?
    ) -> Int32 {
        let settings = (0..<Int(count)).compactMap { arguments?[$0].map { String(cString: $0) } }
        let tokenizer = Instance(WordSettings(text: settings.joined(separator: " ")))
        made?.pointee = OpaquePointer(Unmanaged.passRetained(tokenizer).toOpaque())
        return SQLITE_OK
    }

    private static func delete(_ tokenizer: OpaquePointer?) {
        guard let tokenizer else { return }
        Unmanaged<Instance>.fromOpaque(UnsafeRawPointer(tokenizer)).release()
    }

    private typealias Report =
        @convention(c) (
            UnsafeMutableRawPointer?, Int32, UnsafePointer<CChar>?, Int32, Int32, Int32
        ) -> Int32

    private static func tokenize(
        _ tokenizer: OpaquePointer?, text: UnsafeBufferPointer<CChar>, context: UnsafeMutableRawPointer?,
        report: Report?
    ) -> Int32 {
        guard let tokenizer, let report else { return SQLITE_ERROR }
        let settings = Unmanaged<Instance>.fromOpaque(UnsafeRawPointer(tokenizer)).takeUnretainedValue().settings
        return text.withMemoryRebound(to: UInt8.self) { bytes in
            var scanner = WordScanner(bytes)
            while let range = scanner.next() {
                let word = UnsafeBufferPointer(rebasing: bytes[range])
                guard let indexed = settings.indexed(word, composed: composed) else { continue }
                let code = indexed.withUnsafeBufferPointer { buffer in
                    buffer.withMemoryRebound(to: CChar.self) {
                        report(
                            context, 0, $0.baseAddress, Int32($0.count), Int32(range.lowerBound),
                            Int32(range.upperBound))
                    }
                }
                guard code == SQLITE_OK else { return code }
            }
            return SQLITE_OK
        }
    }
}
