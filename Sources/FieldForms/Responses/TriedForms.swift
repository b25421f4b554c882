import DocumentValues
import FieldModels
import FieldRecords
import FormLogic
import Foundation

extension FormSource {
    /// Whether a text is the path of a file with a form, and no form's name.
    package static func isFile(_ text: String) -> Bool {
        let path = HomeFolder.expanding(text)
        let ending = URL(fileURLWithPath: path).pathExtension.lowercased()
        return ["yaml", "yml", "xlsx", "xlsm", "ods", "csv", "md", "xml"].contains(ending)
            && FileManager.default.fileExists(atPath: path)
    }

    /// The form as if it had been taken in.
    package var loaded: LoadedForm {
        LoadedForm(
            form: form, digest: form.digest, state: .open, current: form.version,
            files: files.filter { name, _ in FormFile.Kind(fileName: name) != .media }, missing: [])
    }
}

extension FormSession {
    /// The record that a form would make; it is nowhere.
    package static func trial(of loaded: LoadedForm, state: FormState, setting: FormSetting, isFinal: Bool) -> Response
    {
        var random = SystemRandomNumberGenerator()
        var state = state
        let id = MetaAnswers.text("instanceID", in: state.record) ?? newInstanceID()
        var response = Response(
            id: RecordIDs.make(.response, using: &random), form: loaded.form.id.text, version: loaded.form.version,
            instanceID: id, district: .unknown)
        response.formDigest = loaded.digest
        response.startedAt = timestamp(setting.now())
        response.endedAt = response.startedAt
        response.instanceName = state.instanceName()
        response.answers = MetaAnswers.without(state.record.answers(isFinal: isFinal))
        return response
    }
}

extension FormFiller {
    /// The node that a path names.
    ///
    /// - Throws: `FormFillingError` where there is none.
    package func find(_ path: String) throws -> Record.ID {
        guard let parsed = AnswerPath(path, root: state.record.outline[FormOutline.root].node.name) else {
            if path == "/" || path == "/" + state.record.outline[FormOutline.root].node.name.text { return Record.root }
            throw FormFillingError(.path("'\(path.printableLine)' is no name of a question."), subject: path)
        }
        switch parsed.resolve(in: state.record, current: nil) {
        case .success(let node): return node
        case .failure(let error):
            throw FormFillingError(.path("\(path.printableLine): \(error.message)."), subject: path)
        }
    }
}
