import DocumentValues
import FieldForms
import FieldModels
import FieldRecords
import FormLogic
import Foundation

extension ShellSession {
    /// What filling a form takes from the laptop and its user.
    ///
    /// - Parameter language: the code of one of the form's languages; `nil` for its own.
    func formSetting(language: String?) throws -> FormSetting {
        let author = try author()
        return FormSetting(
            now: { [environment] in environment.now().secondsSince1970 * 1000 }, zone: environment.formZone,
            language: language.map { Name($0) }, author: author, seed: UInt64.random(in: .min ... .max),
            properties: try FormSetting.properties(of: field().folder, user: author.name))
    }
}

extension ShellEnvironment {
    var formZone: any FormZone { NamedFormZone(identifier: zone.identifier) ?? .current }
}
