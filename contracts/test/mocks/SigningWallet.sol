// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {IERC1271} from "@openzeppelin/contracts/interfaces/IERC1271.sol";
import {ECDSA} from "@openzeppelin/contracts/utils/cryptography/ECDSA.sol";

/// @notice A wallet contract whose word is the signature of one key, which may be changed.
contract SigningWallet is IERC1271 {
    address private _signer;

    constructor(address signer) {
        _signer = signer;
    }

    function rotate(address signer) external {
        _signer = signer;
    }

    function isValidSignature(bytes32 digest, bytes calldata signature) external view returns (bytes4) {
        (address recovered, ECDSA.RecoverError failure, ) = ECDSA.tryRecoverCalldata(digest, signature);
        bool valid = failure == ECDSA.RecoverError.NoError && recovered == _signer;
        return valid ? IERC1271.isValidSignature.selector : bytes4(0xffffffff);
    }
}
