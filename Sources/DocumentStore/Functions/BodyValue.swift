import DocumentQuery
import DocumentValues
import GRDBSQLite
import Glibc

/// A value in a document's bytes as a result of a function, without a tree of it.
struct BodyValue {
    /// The use of the result.
    enum Use {
        /// An operand: it is compared, or passed to another function.
        case operand
        /// A column of the result: containers are not brought into an order, booleans are blobs.
        case column
    }

    let bytes: UnsafeBufferPointer<UInt8>

    func set(_ result: SQLResult, use: Use) {
        switch bytes.first {
        case UInt8(ascii: "\""): setText(result)
        case UInt8(ascii: "{"), UInt8(ascii: "["): setContainer(result, use: use)
        case UInt8(ascii: "t"): setBoolean(true, result: result, use: use)
        case UInt8(ascii: "f"): setBoolean(false, result: result, use: use)
        case UInt8(ascii: "n"): result.setNull()
        default: setNumber(result)
        }
    }

    private func setText(_ result: SQLResult) {
        let inner = UnsafeBufferPointer(rebasing: bytes[1..<max(1, bytes.count - 1)])
        if memchr(inner.baseAddress ?? bytes.baseAddress!, Int32(UInt8(ascii: "\\")), inner.count) == nil {
            result.set(text: inner)
        } else {
            result.set(BodyText.string(bytes) ?? "")
        }
    }

    private func setContainer(_ result: SQLResult, use: Use) {
        switch use {
        case .operand: result.set(BodyText.value(bytes))
        case .column: result.set(blob: [UInt8](repeating: 0, count: QueryValue.containerPrefix) + bytes)
        }
    }

    private func setBoolean(_ bool: Bool, result: SQLResult, use: Use) {
        switch use {
        case .operand: result.set(bool)
        case .column: result.set(blob: [bool ? 1 : 0])
        }
    }

    private func setNumber(_ result: SQLResult) {
        switch ShortNumber(bytes) {
        case .whole(let number): sqlite3_result_int64(result.context, number)
        case .real(let number): sqlite3_result_double(result.context, number)
        case nil: result.set(BodyText.value(bytes))
        }
    }
}
