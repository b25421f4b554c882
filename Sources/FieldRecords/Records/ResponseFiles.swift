import DocumentValues
import FieldModels

/// The pictures and other files among the answers of a filled form.
package enum ResponseFiles {
    /// In the order of the answers. A name without a file, and a file that is no blob, are left out.
    package static func of(_ answers: JSONObject) -> [Photo] {
        var files: [Photo] = []
        var open: [JSONValue] = [.object(answers)]
        while let value = open.popLast() {
            switch value {
            case .object(let object):
                guard let file = file(object) else {
                    open += object.members.map(\.value).reversed()
                    continue
                }
                files.append(file)
            case .array(let elements): open += elements.reversed()
            case .null, .bool, .number, .string: break
            }
        }
        return files
    }

    private static func file(_ object: JSONObject) -> Photo? {
        guard let name = object["name"]?.stringValue,
            let blob = object["blob"]?.objectValue.flatMap({ BlobMetadata($0) })
        else { return nil }
        return Photo(name: name, blob: blob)
    }
}

/// The texts among the answers of a filled form.
enum AnswerTexts {
    static func of(_ answers: JSONObject) -> [String] {
        var texts: [String] = []
        var open: [JSONValue] = [.object(answers)]
        while let value = open.popLast() {
            switch value {
            case .object(let object): open += object.members.map(\.value).reversed()
            case .array(let elements): open += elements.reversed()
            case .string(let text): texts.append(text)
            case .null, .bool, .number: break
            }
        }
        return texts
    }
}
