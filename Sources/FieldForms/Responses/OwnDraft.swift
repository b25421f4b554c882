import DocumentStore
import DocumentValues
import FieldModels
import FieldRecords
import FormLogic

/// The draft of a form that its user saved last on this laptop, to go on with instead of beginning another.
package struct OwnDraft: Sendable {
    package let id: String
    /// `nil` for a record without a name.
    package let name: String?
    package let savedAt: Timestamp?

    /// - Parameter site: of the record that is to begin; `nil` for one about any site or none.
    /// - Throws: `StoreError` where the records cannot be read.
    package static func last(
        of form: Name, in field: FieldDatabase, setting: FormSetting, site: String? = nil
    ) throws -> OwnDraft? {
        let collection = field.collection(of: .response)
        let query = try field.database.createQuery(
            """
            SELECT META().id FROM \(collection.fullName) WHERE form = $form AND state = 'draft'
            AND IFMISSING(changedBy, createdBy, '') = $user AND IFMISSING(device, '') = $device
            ORDER BY endedAt DESC, META().id LIMIT \(FormLibraryLimits.comparedDrafts)
            """)
        let parameters = Parameters()
        parameters.setString(form.text, forName: "form")
        parameters.setString(setting.author.name ?? "", forName: "user")
        parameters.setString(setting.author.device ?? "", forName: "device")
        query.parameters = parameters
        var ids: [String] = []
        try query.forEachRow { row in if let id = row.text(0) { ids.append(id) } }
        for id in ids {
            guard let draft = try field.responses.findReadable(id), site == nil || draft.site.isExactly(site) else {
                continue
            }
            return OwnDraft(id: id, name: draft.instanceName, savedAt: draft.endedAt)
        }
        return nil
    }
}
