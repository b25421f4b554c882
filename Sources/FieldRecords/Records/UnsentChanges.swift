import DocumentStore
import DocumentValues
import FieldModels

/// Changes that a gateway does not take, and that are given up one by one. Only a reviewer changes a record that is handed
/// in; but a record that its gateway refuses would otherwise be stuck here with all its changes.
public struct UnsentChanges: RecordService {
    let store: RecordStore

    /// Whether values for the district and the inspector of a record are those of the gateway. Any user may change its
    /// other fields, so no refusal is about them.
    public func takesBack(
        _ values: [(field: String, text: String)], of kind: RecordKind, id: String
    ) throws -> Bool {
        guard !values.isEmpty, let body = try unsentBase(of: kind, id) else { return false }
        return values.allSatisfy { value in
            let name = value.field.lowercased()
            guard Self.refusable.containsExactly(name) else { return false }
            return (body[name]?.stringValue ?? "").isExactly(value.text.trimmingSpaces)
        }
    }

    private static let refusable = ["district", "inspector"]

    /// The inspector at the gateway of a record that was given to another one here: an empty name if it has none; `nil` if
    /// that is not known.
    public func inspectorAtGateway(of kind: RecordKind, _ id: String) throws -> String? {
        try unsentBase(of: kind, id).map { $0["inspector"]?.stringValue ?? "" }
    }

    /// A record that comes back into the district in which the gateway has it is seen by the same users as before:
    /// while its district is undecided, it has the channels of several.
    public func restoreChannels(of record: inout some FieldRecord) throws {
        guard let body = try unsentBase(of: type(of: record).kind, record.id),
            let district = record.district, body["district"]?.stringValue.isExactly(district.code) == true,
            let channels = body["channels"]?.arrayValue?.compactMap(\.stringValue), !channels.isEmpty
        else { return }
        record.envelope.channels = channels
    }

    private func unsentBase(of kind: RecordKind, _ id: String) throws -> JSONObject? {
        guard try collection(of: kind).exchange(of: id)?.isSent == false else { return nil }
        return try gatewayBody(of: kind, id)
    }
}
