import Foundation

/// A city's register of restaurant inspections as it was published, 59,638 rows: real input, with the faults of real
/// input, and too large for the repository. All other tests have what they need in `Tests`.
public enum CityRegister {
    /// Where its files are; `nil` if they are not here. A folder that was named and has none fails the tests.
    public static let folder: String? = {
        if let named = ProcessInfo.processInfo.environment[variable], !named.isEmpty { return named }
        let beside = URL(fileURLWithPath: #filePath)
            .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
            .appendingPathComponent("../shared/data/food-safety-sf").standardizedFileURL.path
        return FileManager.default.fileExists(atPath: beside + "/businesses.csv") ? beside : nil
    }()

    /// What is reported where the register is not here.
    public static let howToHaveIt = """
        Left out: the city register is not in the repository. To have it, take businesses.csv, inspections.csv and \
        violations.csv from the folder data of https://github.com/3innielee/food-safety-sf and set \(variable) to the \
        folder that they are in.
        """

    private static let variable = "FIELDBOOK_REGISTER"
}
