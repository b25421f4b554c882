import DocumentStore
import DocumentValues
import FieldModels
import FieldRecords
import FormLogic

/// The record of a form that its user last saved on this laptop, for defaults. It is looked up among the records: no copy of
/// its answers is kept beside them.
struct LastResponse {
    let field: FieldDatabase
    let setting: FormSetting

    /// Of any version; `nil` for the first record, and for a form whose records are to be encrypted.
    func answers(of form: Form) throws -> JSONObject? {
        guard form.settings.rest["public_key"] == nil else { return nil }
        let collection = field.collection(of: .response)
        let query = try field.database.createQuery(
            """
            SELECT META().id FROM \(collection.fullName) WHERE form = $form
            AND IFMISSING(changedBy, createdBy, '') = $user AND IFMISSING(device, '') = $device
            ORDER BY endedAt DESC, META().id LIMIT 1
            """)
        let parameters = Parameters()
        parameters.setString(form.id.text, forName: "form")
        parameters.setString(setting.author.name ?? "", forName: "user")
        parameters.setString(setting.author.device ?? "", forName: "device")
        query.parameters = parameters
        var last: String?
        try query.forEachRow { last = $0.text(0) }
        return try last.flatMap { try field.responses.findReadable($0)?.answers }
    }
}
